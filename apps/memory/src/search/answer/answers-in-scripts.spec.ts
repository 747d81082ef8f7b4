import { expect, test } from '@jest/globals';
import { contentStems } from '../../text/content-stems.ts';
import { composeExtractiveAnswer } from './extractive-answer.ts';
import { NOTHING_FOUND, piecesOf } from './pieces.ts';

/** Documents of a language with questions and what must be in their answers; null for what no document says. */
const SETS: readonly (readonly [language: string, documents: string[], questions: [string, string | null][]])[] = [
  [
    'zh',
    [
      '本协议自2023年5月1日起生效，有效期三年。乙方应在收到发票后三十日内付款。违约金为合同总额的百分之五。',
      '张伟负责华东地区的销售，办公室在南京。李娜负责华南地区的销售，办公室在广州。',
      '服务器每天凌晨两点自动备份，备份数据保存九十天。密码必须至少十二位。',
      '食堂的午餐供应时间是十一点半到一点半。素食窗口在二楼。',
    ],
    [
      ['违约金是多少？', '百分之五'],
      ['谁负责华南地区的销售？', '李娜'],
      ['备份数据保存多少天？', '九十天'],
      ['素食窗口在哪里？', '二楼'],
      ['协议的有效期是多长？', '三年'],
      ['密码至少要多少位？', '十二位'],
      ['午餐几点供应？', '十一点半'],
      ['谁负责华北地区的销售？', null],
      ['咖啡厅在几楼？', null],
      ['日志数据保存多少天？', null],
      ['定金是多少？', null],
      ['晚餐供应时间是几点？', null],
    ],
  ],
  [
    'ja',
    [
      'サーバーのバックアップは毎日午前二時に行われます。バックアップは九十日間保存されます。',
      '営業部の部長は佐藤花子で、開発部の部長は鈴木一郎です。',
      '契約期間は2023年4月から三年間です。解約は六か月前までに通知してください。',
      '食堂の昼食は十一時半から提供されます。駐車場は地下一階にあります。',
    ],
    [
      ['開発部の部長は誰ですか？', '鈴木一郎'],
      ['バックアップは何日間保存されますか？', '九十日間'],
      ['契約期間は何年ですか？', '三年間'],
      ['駐車場はどこですか？', '地下一階'],
      ['昼食は何時から提供されますか？', '十一時半'],
      ['人事部の部長は誰ですか？', null],
      ['会議室はどこですか？', null],
      ['夕食は何時から提供されますか？', null],
      ['ログは何日間保存されますか？', null],
    ],
  ],
  [
    'ko',
    [
      '연차 휴가는 일 년에 15일입니다. 병가에는 진단서가 필요합니다.',
      '서버 백업은 매일 새벽 두 시에 실행됩니다. 주차장은 지하 1층에 있습니다.',
    ],
    [
      ['연차 휴가는 며칠입니까?', '15일'],
      ['주차장은 어디에 있습니까?', '지하 1층'],
      ['서버 백업은 언제 실행됩니까?', '새벽 두 시'],
      ['식당은 어디에 있습니까?', null],
      ['육아 휴직은 며칠입니까?', null],
    ],
  ],
  [
    'th',
    ['ที่จอดรถอยู่ชั้นใต้ดินหนึ่ง', 'การรับประกันตู้เย็นคือห้าปี'],
    [
      ['ที่จอดรถอยู่ที่ไหน', 'ใต้ดิน'],
      ['การรับประกันตู้เย็นกี่ปี', 'ห้าปี'],
      ['การรับประกันโทรทัศน์กี่ปี', null],
    ],
  ],
  [
    'hi',
    ['कंपनी का मुख्यालय पुणे में है। निदेशक अनीता शर्मा हैं।', 'फ्रिज की वारंटी तीन साल की है।'],
    [
      ['कंपनी का मुख्यालय कहाँ है?', 'पुणे'],
      ['फ्रिज की वारंटी कितने साल की है?', 'तीन साल'],
      ['हवाई अड्डा कहाँ है?', null],
    ],
  ],
  [
    'el',
    ['Η έδρα της εταιρείας βρίσκεται στην Πάτρα. Διευθυντής είναι ο Νίκος Παππάς.'],
    [
      ['Πού βρίσκεται η έδρα της εταιρείας;', 'Πάτρα'],
      ['Πόσο κοστίζει το εισιτήριο;', null],
    ],
  ],
  [
    'he',
    ['מטה החברה נמצא בחיפה. המנכל הוא דוד לוי.'],
    [
      ['היכן נמצא מטה החברה?', 'בחיפה'],
      ['כמה עולה הכרטיס לרכבת?', null],
    ],
  ],
  [
    'lo',
    ['ສຳນັກງານໃຫຍ່ຂອງບໍລິສັດຢູ່ວຽງຈັນ'],
    [
      ['ສຳນັກງານໃຫຍ່ຂອງບໍລິສັດຢູ່ໃສ', 'ວຽງຈັນ'],
      ['ໂຮງໝໍຢູ່ໃສ', null],
    ],
  ],
  [
    'km',
    ['ការិយាល័យកណ្តាលរបស់ក្រុមហ៊ុននៅភ្នំពេញ'],
    [
      ['ការិយាល័យកណ្តាលរបស់ក្រុមហ៊ុននៅឯណា', 'ភ្នំពេញ'],
      ['មន្ទីរពេទ្យនៅឯណា', null],
    ],
  ],
];

const cases = SETS.flatMap(([language, documents, questions]) => {
  const passages = documents.map((body, at) => ({
    chunkId: `chk_${at}`,
    docId: `doc_${at}`,
    title: '',
    titlePath: '',
    body,
    score: 10 - at,
  }));
  return questions.map(([question, wanted]) => ({ language, question, wanted, passages }));
});

test.each(cases.filter(({ wanted }) => wanted !== null))(
  '$language: $question is answered with the sentence that says so',
  ({ question, wanted, passages }) => {
    const { text, pieces, cited } = composeExtractiveAnswer(question, passages);
    expect(text).toContain(wanted);
    expect(pieces.join('')).toBe(text);
    const { passage, snippet, span } = cited[0]!;
    expect(snippet).toContain(wanted);
    expect(passage.body.slice(span!.start, span!.end)).toBe(snippet);
  },
);

test.each(cases.filter(({ wanted }) => wanted === null))(
  '$language: $question is refused, because no document says it',
  ({ question, passages }) => {
    expect(composeExtractiveAnswer(question, passages)).toMatchObject({ text: NOTHING_FOUND, cited: [] });
  },
);

test.each(['株式会社ハルカ', '한빛전자', 'บริษัทชัยชนะ'])(
  'a question in English that names %s is answered as one in English',
  (name) => {
    const body = `The user manual of ${name} was written by Jane Roe. It has ninety pages.`;
    const passage = { chunkId: 'chk_0', docId: 'doc_0', title: '', titlePath: '', body, score: 10 };
    const question = `Who wrote the long user manual that new customers of ${name} received?`;
    expect(composeExtractiveAnswer(question, [passage]).text).toContain('Jane Roe');
  },
);

test.each(['Who wrote the X-200 manual for 株式会社ハルカ in 2019?', 'X-200の保証期間はどのくらいですか？'])(
  'a question keeps the identifier that it asks for among words without spaces: %s',
  (question) => {
    expect(contentStems(question, 'en')).toContain('x-200');
  },
);

test('an answer without spaces is streamed in pieces of a few characters', () => {
  const text = '公司总部位于杭州市西湖区。 [1]';
  expect(piecesOf(text).join('')).toBe(text);
  expect(Math.max(...piecesOf(text).map(({ length }) => length))).toBeLessThanOrEqual(7);
});
