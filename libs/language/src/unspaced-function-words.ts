import { stopwords as japaneseStopWords } from '@orama/stopwords/japanese';
import { stopwords as chineseStopWords } from '@orama/stopwords/mandarin';

/**
 * Words of Chinese, Japanese, Thai, Lao and Khmer that say nothing of what is asked for: stop words, pronouns that ask,
 * copulas, particles and forms of politeness.
 */
export const UNSPACED_FUNCTION_WORDS: ReadonlySet<string> = new Set([
  ...chineseStopWords,
  ...japaneseStopWords,
  ...'什么时候 多久 多长 多大 多高 多远 几点 几天 几年 几个 请问 位于 告诉 是否 谁是 何人 哪年 哪天'.split(' '),
  ...'まし ませ でしょ ない 誰 だれ いつ いくら いくつ どれ どう どちら なぜ くらい ぐらい どのくらい ください 何時 何人 何年 何日 何月 何曜日 教え'.split(
    ' ',
  ),
  ...'ของ คือ อยู่ ที่ ใน เป็น มี และ หรือ ไหม ที่ไหน ไหน อะไร เมื่อไร เมื่อไหร่ เมื่อใด ใคร เท่าไร เท่าไหร่ เท่าใด กี่ ทำไม อย่างไร ยังไง ได้ จะ ให้ กับ ว่า นี้ นั้น ซึ่ง โดย จาก ถึง คะ ครับ ค่ะ'.split(
    ' ',
  ),
  ...'ຂອງ ແມ່ນ ຢູ່ ທີ່ ໃນ ເປັນ ມີ ແລະ ຫຼື ບໍ່ ໃສ ຢູ່ໃສ ຫຍັງ ໃຜ ເມື່ອໃດ ເທົ່າໃດ ຈັກ ແນວໃດ'.split(' '),
  ...'របស់ គឺ នៅ ក្នុង ជា មាន និង ឬ ដែល ទេ ណា ឯណា នៅឯណា អ្វី នរណា ពេលណា ប៉ុន្មាន យ៉ាងណា ហេតុអ្វី'.split(' '),
]);
