import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTHING_FOUND } from '../src/search/answer/pieces.ts';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

/** Documents of a language, questions with what their answers must say, and questions that the documents do not answer. */
interface Script {
  documents: readonly string[];
  answered: readonly (readonly [question: string, sentence: string])[];
  refused: readonly string[];
}

const SCRIPTS: Readonly<Record<string, Script>> = {
  Chinese: {
    documents: [
      '蓝鲸科技成立于2012年，主要开发航运软件。公司总部位于杭州市西湖区。首席执行官是陈雨桐。',
      '员工每年享有十五天带薪年假。病假需要提交医生证明。试用期为三个月。',
      '图书馆周一至周五上午九点开门，晚上八点关门。周末图书馆不开放。',
      '青松牌打印机的保修期为两年。墨盒不在保修范围内。',
    ],
    answered: [
      ['蓝鲸科技的总部在哪里？', '公司总部位于杭州市西湖区。'],
      ['公司的首席执行官是谁？', '首席执行官是陈雨桐。'],
      ['员工每年有多少天年假？', '员工每年享有十五天带薪年假。'],
      ['图书馆什么时候开门？', '图书馆周一至周五上午九点开门'],
      ['打印机的保修期是多久？', '青松牌打印机的保修期为两年。'],
    ],
    refused: ['公司的首席财务官是谁？', '电视机的保修期是多久？', '游泳馆什么时候开门？', '员工每年有多少天产假？'],
  },
  Japanese: {
    documents: [
      '東京支社の営業時間は午前9時から午後6時までです。土曜日と日曜日は休みです。',
      '本社は大阪市北区にあります。社長は山田太郎です。従業員は三百人です。',
      'この冷蔵庫の保証期間は五年間です。修理は無料で受け付けます。',
      '有給休暇は年に二十日です。申請は三日前までに行います。',
    ],
    answered: [
      ['東京支社の営業時間は何時から何時までですか？', '東京支社の営業時間は午前9時から午後6時までです。'],
      ['本社はどこにありますか？', '本社は大阪市北区にあります。'],
      ['社長は誰ですか？', '社長は山田太郎です。'],
      ['冷蔵庫の保証期間はどのくらいですか？', 'この冷蔵庫の保証期間は五年間です。'],
    ],
    refused: [
      '福岡支社の営業時間は何時から何時までですか？',
      '洗濯機の保証期間はどのくらいですか？',
      '研究所はどこにありますか？',
      '副社長の電話番号は何番ですか？',
    ],
  },
  Korean: {
    documents: [
      '본사는 부산 해운대구에 있습니다. 대표이사는 김민수입니다.',
      '환불 기간은 구매 후 14일입니다. 배송비는 고객이 부담합니다.',
    ],
    answered: [
      ['본사는 어디에 있습니까?', '본사는 부산 해운대구에 있습니다.'],
      ['환불 기간은 며칠입니까?', '환불 기간은 구매 후 14일입니다.'],
    ],
    refused: ['연구소는 어디에 있습니까?', '교환 수수료는 얼마입니까?'],
  },
  Thai: {
    documents: ['สำนักงานใหญ่ของบริษัทอยู่ที่เชียงใหม่ ผู้จัดการคือสมชาย ใจดี', 'ห้องสมุดเปิดเวลาเก้าโมงเช้าและปิดเวลาห้าโมงเย็น'],
    answered: [
      ['สำนักงานใหญ่ของบริษัทอยู่ที่ไหน', 'สำนักงานใหญ่ของบริษัทอยู่ที่เชียงใหม่'],
      ['ห้องสมุดเปิดเวลาเท่าไร', 'ห้องสมุดเปิดเวลาเก้าโมงเช้า'],
    ],
    refused: ['โรงพยาบาลอยู่ที่ไหน', 'ร้านอาหารเปิดเวลาเท่าไร'],
  },
  Russian: {
    documents: [
      'Головной офис компании «Ромашка» находится в Казани. Директор компании — Ирина Волкова.',
      'Гарантийный срок холодильника составляет три года.',
    ],
    answered: [
      ['Где находится головной офис компании «Ромашка»?', 'находится в Казани.'],
      ['Какой гарантийный срок у холодильника?', 'составляет три года.'],
    ],
    refused: ['Сколько стоит билет на поезд?', 'Где находится стадион «Восток»?'],
  },
  Arabic: {
    documents: ['يقع المقر الرئيسي للشركة في مدينة عمّان. المدير العام هو سامي الخطيب.', 'مدة ضمان الثلاجة ثلاث سنوات.'],
    answered: [
      ['أين يقع المقر الرئيسي للشركة؟', 'في مدينة عمّان.'],
      ['ما هي مدة ضمان الثلاجة؟', 'مدة ضمان الثلاجة ثلاث سنوات.'],
    ],
    refused: ['متى يفتح المتحف أبوابه؟', 'كم سعر تذكرة القطار؟'],
  },
};

interface Answer {
  answer: string;
  citations: { citation_id: string; snippet: string; doc_id: string }[];
}

describe.each(Object.entries(SCRIPTS))('in %s', (_name, { documents, answered, refused }) => {
  let caller: Caller;
  beforeAll(async () => {
    caller = memory.newCaller();
    await memory.ingest(
      caller,
      documents.map((content) => ({ content })),
    );
  });
  const ask = async (query: string): Promise<Answer> =>
    (await memory.call(caller, 'POST', '/api/v1/memory/search', { query })).body;

  it.each(answered)('%s is answered with the sentence that says so, cited', async (question, sentence) => {
    const { answer, citations } = await ask(question);
    expect(answer).toContain(sentence);
    expect(answer).toMatch(/\[1\]/);
    expect(citations[0]!.snippet).toContain(sentence);
  });

  it.each(refused)('%s is refused, because no document says it', async (question) => {
    expect(await ask(question)).toMatchObject({ answer: NOTHING_FOUND, citations: [] });
  });
});
