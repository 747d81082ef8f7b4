import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerFromTables, tablesOfRows } from '../src/index.ts';
import { rowText } from '../src/formats/table-text.ts';

/** How the people who keep a table write its amounts. */
const style = fc.record({
  locale: fc.constantFrom('en-US', 'de-DE', 'de-CH', 'fr-FR', 'en-IN', 'sv-SE'),
  isGrouped: fc.boolean(),
  decimals: fc.integer({ min: 0, max: 3 }),
  negative: fc.constantFrom('-', '−', 'behind', 'brackets'),
  currency: fc.constantFrom('', '€ ', '$', 'USD ', ' EUR', ' kg', 'some', 'two', 'column'),
  scale: fc.constantFrom('', 'k', 'mixed'),
  total: fc.boolean(),
  seldom: fc.boolean(),
});
const amount = fc.record({
  region: fc.constantFrom('North', 'South', 'East'),
  value: fc.oneof(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 1, max: 20_000 })),
  spoiled: fc.oneof(
    { weight: 40, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.constantFrom('empty', 'masked', 'words', 'region') },
  ),
});
type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;
type Amount = typeof amount extends fc.Arbitrary<infer Value> ? Value : never;

/** The amount as it is written, and the number that is meant. */
function written(value: number, row: number, how: Style): { cell: string; meant: number } {
  const isThousands = how.scale === 'k' || (how.scale === 'mixed' && row % 2 === 0);
  const told = value / 10 ** how.decimals;
  const format = new Intl.NumberFormat(how.locale, {
    minimumFractionDigits: how.decimals,
    maximumFractionDigits: how.decimals,
    useGrouping: how.isGrouped,
  });
  const plain = `${format.format(Math.abs(told))}${isThousands ? 'k' : ''}`;
  const unit =
    how.currency === 'some'
      ? row % 3 === 0
        ? '€'
        : ''
      : how.currency === 'two'
        ? row % 2 === 0
          ? '€'
          : '$'
        : how.currency;
  const isBehind = unit.startsWith(' ');
  const amountText = isBehind || unit === 'column' ? `${plain}${unit === 'column' ? '' : unit}` : `${unit}${plain}`;
  const cell =
    told >= 0
      ? amountText
      : how.negative === 'behind'
        ? `${amountText}-`
        : how.negative === 'brackets'
          ? `(${amountText})`
          : `${how.negative}${amountText}`;
  return { cell, meant: told * (isThousands ? 1_000 : 1) };
}

const SPOILED: Readonly<Record<string, string>> = { empty: '', masked: '[[EMAIL_ADDRESS_3]]', words: 'n. k.' };

function tableOf(amounts: readonly Amount[], how: Style) {
  const names = ['order_id', 'region', 'currency', 'discount', 'amount', 'note'];
  const cells = amounts.map(({ region, value, spoiled }, row) => {
    const { cell, meant } = written(value, row, how);
    const own = spoiled === '' || spoiled === 'region' ? cell : SPOILED[spoiled]!;
    return {
      meant: own === cell ? meant : null,
      region: spoiled === 'region' ? null : region,
      currency: meant !== 0 && own === cell && /two|column/.test(how.currency) ? row % 2 : null,
      cells: [
        `SO-${100 + row}`,
        spoiled === 'region' ? '[[PERSON_1]]' : region,
        how.currency === 'column' ? (row % 2 === 0 ? 'EUR' : 'USD') : '',
        how.seldom && row === 0 ? '5' : '',
        own,
        `as agreed ${row}`,
      ],
    };
  });
  const rows = cells.map((row) => row.cells);
  const sum = cells.reduce((all, { meant }) => all + (meant ?? 0), 0);
  if (how.total)
    rows.push(['Total', '', '', '', written(Math.round(sum * 10 ** how.decimals), 1, { ...how, scale: '' }).cell, '']);
  const texts = rows.map((row, index) => ({ text: rowText(names, row).text, row: index + 1, title: 'orders.csv' }));
  return { cells, raw: tablesOfRows(texts) };
}

/** The figure that an answer begins with; null without one. */
function figureOf(text: string | undefined): number | null {
  const found = /^(?:[^\d-]{0,4})(-?[\d,]+(?:\.\d+)?)/.exec(text ?? '');
  return found === null ? null : Number(found[1]!.replaceAll(',', ''));
}

it('computes what the amounts mean however they are written, says what it leaves out, or says nothing', () => {
  let [answered, asked] = [0, 0];
  fc.assert(
    fc.property(fc.array(amount, { minLength: 4, maxLength: 60 }), style, (amounts, how) => {
      const { cells, raw } = tableOf(amounts, how);
      const east = cells.filter(({ region }) => region === 'East');
      const known = east.flatMap(({ meant }) => (meant === null ? [] : [meant]));
      const isWhole = known.length === east.length && cells.every(({ region }) => region !== null);
      const sum = known.reduce((all, one) => all + one, 0);
      const wanted: [question: string, value: number | null, isWhole: boolean][] = [
        ['How many orders came from the East region?', east.length, cells.every(({ region }) => region !== null)],
        ['What is the total amount of orders from East?', sum, isWhole],
        ['What is the average amount of orders from East?', known.length === 0 ? null : sum / known.length, isWhole],
        [
          'How many orders have an amount above 5000?',
          cells.filter(({ meant }) => (meant ?? 0) > 5_000).length,
          cells.every(({ meant }) => meant !== null),
        ],
      ];
      for (const [question, value, isComplete] of wanted) {
        const answer = answerFromTables(question, raw);
        asked += 1;
        if (answer === null) continue;
        answered += 1;
        if (answer.text.includes('is read as one of thousands')) {
          expect(answer.confidence).toBeLessThan(0.9);
          continue;
        }
        const figure = figureOf(answer.text);
        expect({
          question,
          text: answer.text,
          figure: Math.abs(figure! - value!) <= Math.abs(value!) * 1e-6 + 0.00501,
        }).toEqual({
          question,
          text: answer.text,
          figure: true,
        });
        // Empty cells meet no condition, as readers expect; everything else that is left out is said.
        if (!isComplete && !question.includes('above')) expect(answer.text).toContain('Left out: ');
        // Euros and dollars make no sum.
        if (/total|average/.test(question))
          expect(new Set(east.flatMap(({ currency }) => currency ?? [])).size).toBeLessThan(2);
      }
    }),
    { numRuns: 400 },
  );
  // The property would hold for a reader that never answers, too.
  expect(answered / asked).toBeGreaterThan(0.4);
});
