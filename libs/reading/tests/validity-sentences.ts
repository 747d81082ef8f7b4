/**
 * Sentences that say when something held, with what should be read of them: relations that would be right, subject,
 * object, first day, last day and whether it ended. `/` separates alternatives; `-` is no day. They were written before
 * the reader was tried on them. Every second one, `held out`, was not looked at while the reader was changed.
 */
export const VALIDITY_SENTENCES: readonly { text: string; facts: readonly string[] }[] = [
  [
    'Helga Brandt served as chief executive of Orvik Instruments from 2015 to 2019.',
    'ceo | Orvik Instruments | Helga Brandt | 2015-01-01 | 2019-12-31 | ended',
  ],
  [
    'Between 2003 and 2011, Tomás Herrera was the director of the Museo Naval.',
    'director/led_by | Museo Naval | Tomás Herrera | 2003-01-01 | 2011-12-31 | ended',
  ],
  [
    'Since March 2024, Bluefin Analytics has been led by Priya Raman.',
    'led_by/ceo | Bluefin Analytics | Priya Raman | 2024-03-01 | - | holds',
  ],
  [
    'On 3 May 2021 Ines Carvalho became chief executive of Lumen Textiles.',
    'ceo | Lumen Textiles | Ines Carvalho | 2021-05-03 | - | holds',
  ],
  [
    'Lumen Textiles moved its headquarters to Porto in June 2022. Until then the company was based in Braga.',
    'headquarters | Lumen Textiles | Porto | 2022-06-01 | - | holds',
    'headquarters | Lumen Textiles | Braga | - | 2022-06-01/2022-06-30 | ended',
  ],
  [
    'Kestrel Software was owned by Halden Group until 2018.',
    'owned_by | Kestrel Software | Halden Group | - | 2018-12-31 | ended',
  ],
  [
    'Dr. Amara Okafor joined the Leiden Institute in September 2017.',
    'member_of/works_for | Amara Okafor | Leiden Institute | 2017-09-01 | - | holds',
  ],
  [
    'Jonas Lindqvist left Nordbank in 2020.',
    'works_for/member_of | Jonas Lindqvist | Nordbank | - | 2020-12-31/2020-01-01 | ended',
  ],
  [
    'Paul Whitcombe, the former chief executive of Tarn Energy, spoke at the event.',
    'ceo | Tarn Energy | Paul Whitcombe | - | - | ended',
  ],
  ['Mira Kovacs has worked for Solvane since 2016.', 'works_for | Mira Kovacs | Solvane | 2016-01-01 | - | holds'],
  [
    'From 1998 until 2004 the chairman of Rheinmetall Chemie was Otto Kranz.',
    'chairman/led_by | Rheinmetall Chemie | Otto Kranz | 1998-01-01 | 2004-12-31 | ended',
  ],
  [
    'Hyun-woo Park was mayor of Suwon from July 2010 to June 2014.',
    'mayor/led_by | Suwon | Hyun-woo Park | 2010-07-01 | 2014-06-30 | ended',
  ],
  [
    'As of 1 January 2023, Castellan Bank is headquartered in Zurich.',
    'headquarters | Castellan Bank | Zurich | 2023-01-01 | - | holds',
  ],
  [
    'The headquarters of Arden Robotics were in Leeds until April 2019.',
    'headquarters | Arden Robotics | Leeds | - | 2019-04-30 | ended',
  ],
  [
    'In 2014 Veridian Labs was acquired by Maxwell Foods.',
    'owned_by | Veridian Labs | Maxwell Foods | 2014-01-01 | - | holds',
  ],
  [
    'Sofia Marchetti played for AC Torino between 2009 and 2013.',
    'member_of | Sofia Marchetti | AC Torino | 2009-01-01 | 2013-12-31 | ended',
  ],
  [
    'Emeka Obi lived in Lagos until 2012, when he moved to Toronto.',
    'lives_in | Emeka Obi | Lagos | - | 2012-12-31/2012-01-01 | ended',
    'lives_in | Emeka Obi | Toronto | 2012-01-01 | - | holds',
  ],
  [
    'Ruth Adeyemi took over as chief executive of Palmgrove in October 2020.',
    'ceo | Palmgrove | Ruth Adeyemi | 2020-10-01 | - | holds',
  ],
  [
    'Ruth Adeyemi succeeded Mark Ellery as chief executive of Palmgrove in October 2020.',
    'ceo | Palmgrove | Ruth Adeyemi | 2020-10-01 | - | holds',
    'ceo | Palmgrove | Mark Ellery | - | 2020-10-01/2020-10-31 | ended',
  ],
  [
    'Clara Nyström stepped down as chair of Fjordkraft on 30 June 2021.',
    'chair/led_by | Fjordkraft | Clara Nyström | - | 2021-06-30 | ended',
  ],
  [
    'Daniel Osei resigned as director of Volta Mining in 2015.',
    'director/led_by | Volta Mining | Daniel Osei | - | 2015-12-31/2015-01-01 | ended',
  ],
  [
    'Zephyr Airlines relocated from Dublin to Cork in 2008.',
    'headquarters | Zephyr Airlines | Cork | 2008-01-01 | - | holds',
    'headquarters | Zephyr Airlines | Dublin | - | 2008-01-01/2008-12-31 | ended',
  ],
  [
    'Wei Zhang, who led Pinnacle Optics from 2001 to 2009, now teaches at Fudan University.',
    'led_by | Pinnacle Optics | Wei Zhang | 2001-01-01 | 2009-12-31 | ended',
  ],
  [
    'Before 2010, Greenlock Partners was based in Oslo.',
    'headquarters | Greenlock Partners | Oslo | - | 2009-12-31/2010-01-01 | ended',
  ],
  [
    'Anneke de Vries headed the Delft Archive for six years, from 1994 to 2000.',
    'led_by | Delft Archive | Anneke de Vries | 1994-01-01 | 2000-12-31 | ended',
  ],
  [
    'Farid Haddad was appointed chief executive of Cedar Telecom in January 2018.',
    'ceo | Cedar Telecom | Farid Haddad | 2018-01-01 | - | holds',
  ],
  [
    'Hiroshi Tanaka is the former president of Kumo Electronics.',
    'president/led_by | Kumo Electronics | Hiroshi Tanaka | - | - | ended',
  ],
  [
    'Lucia Romero is president of Faro Shipping; she has held the post since 2013.',
    'president/led_by | Faro Shipping | Lucia Romero | 2013-01-01 | - | holds',
  ],
  [
    'Until 2005, Petra Novak worked at Skoda Works; since then she has worked at Moravia Steel.',
    'works_for | Petra Novak | Skoda Works | - | 2005-12-31 | ended',
    'works_for | Petra Novak | Moravia Steel | 2005-01-01/2005-12-31 | - | holds',
  ],
  [
    'Birgit Aalto was chief executive of Suomi Paper until she joined Baltic Wood in 2011.',
    'ceo | Suomi Paper | Birgit Aalto | - | 2011-01-01/2011-12-31 | ended',
    'member_of/works_for | Birgit Aalto | Baltic Wood | 2011-01-01 | - | holds',
  ],
  [
    'Tidewater Systems makes pumps. Its chief executive from 2012 to 2017 was Iris Chen.',
    'ceo | Tidewater Systems | Iris Chen | 2012-01-01 | 2017-12-31 | ended',
  ],
  [
    'Omar Farouk has chaired Nile Capital since 14 February 2020.',
    'led_by/chair | Nile Capital | Omar Farouk | 2020-02-14 | - | holds',
  ],
  [
    'Elena Petrova studied at Kazan University from 1988 to 1993.',
    'educated_at | Elena Petrova | Kazan University | 1988-01-01 | 1993-12-31 | ended',
  ],
  [
    'Grant Mossley was a member of the Labour Party from 1979 to 1994.',
    'member_of/political_affiliation | Grant Mossley | Labour Party | 1979-01-01 | 1994-12-31 | ended',
  ],
  [
    'Kepler Motors belonged to the Vanta Group until the end of 2016.',
    'member_of/owned_by | Kepler Motors | Vanta Group | - | 2016-12-31 | ended',
  ],
  [
    'Noor Al-Sayed ran Dune Logistics from May 2013 through August 2018.',
    'led_by | Dune Logistics | Noor Al-Sayed | 2013-05-01 | 2018-08-31 | ended',
  ],
  [
    'Since 2019 the headquarters of Polaris Shipping have been in Bergen.',
    'headquarters | Polaris Shipping | Bergen | 2019-01-01 | - | holds',
  ],
  [
    'Ana Lima (chief executive of Rio Verde from 2006 to 2010) died in 2015.',
    'ceo | Rio Verde | Ana Lima | 2006-01-01 | 2010-12-31 | ended',
  ],
  [
    'Sven Holm worked for Aurora Films from the spring of 1991 to 1997.',
    'works_for | Sven Holm | Aurora Films | 1991-01-01/1991-03-01 | 1997-12-31 | ended',
  ],
  [
    'Isabel Fuentes became mayor of Cádiz in 2015 and left office in 2019.',
    'mayor/led_by | Cádiz | Isabel Fuentes | 2015-01-01 | 2019-12-31/2019-01-01 | ended',
  ],
  [
    'In March 2017 Quill Press moved from Boston to Chicago.',
    'headquarters | Quill Press | Chicago | 2017-03-01 | - | holds',
    'headquarters | Quill Press | Boston | - | 2017-03-01/2017-03-31 | ended',
  ],
  [
    'Yusuf Demir, chief executive of Anatolia Foods since 2021, announced the plan.',
    'ceo | Anatolia Foods | Yusuf Demir | 2021-01-01 | - | holds',
  ],
  [
    'Katrin Vogel was replaced by Stefan Huber as chief executive of Albis Pharma in April 2016.',
    'ceo | Albis Pharma | Stefan Huber | 2016-04-01 | - | holds',
    'ceo | Albis Pharma | Katrin Vogel | - | 2016-04-01/2016-04-30 | ended',
  ],
  [
    'Teresa Blanco served as a judge on the Supreme Court from 1999 to 2008.',
    'member_of/works_for | Teresa Blanco | Supreme Court | 1999-01-01 | 2008-12-31 | ended',
  ],
  [
    'Harbour Trust was led by Colin Reid between 2010 and 2014 and has been led by Aisha Bello since then.',
    'led_by | Harbour Trust | Colin Reid | 2010-01-01 | 2014-12-31 | ended',
    'led_by | Harbour Trust | Aisha Bello | 2014-01-01/2014-12-31 | - | holds',
  ],
  [
    'The biologist Rosa Klein has lived in Basel since she left Vienna in 2003.',
    'lives_in | Rosa Klein | Basel | 2003-01-01 | - | holds',
    'lives_in | Rosa Klein | Vienna | - | 2003-12-31/2003-01-01 | ended',
  ],
  [
    'Milan Fabrics was sold to Corsa Holding in November 2019.',
    'owned_by | Milan Fabrics | Corsa Holding | 2019-11-01 | - | holds',
  ],
  [
    'Ivar Dahl retired from the Bergen Observatory in 2006 after joining it in 1971.',
    'works_for/member_of | Ivar Dahl | Bergen Observatory | 1971-01-01/- | 2006-12-31/2006-01-01 | ended',
  ],
].map(([text, ...facts]) => ({ text: text!, facts }));
