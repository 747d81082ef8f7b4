import { describe, expect, it } from '@jest/globals';
import { asksAboutSelf, speakerOf } from './speaker.ts';

describe('who says a turn', () => {
  it.each([
    ['Caroline: The support group was good.', 'Caroline'],
    ['[8 May 2023] Maria Okafor: That works.', 'Maria Okafor'],
    ['Oluwaseun: Did you get the letter?', 'Oluwaseun'],
    ['Customer: I cannot log in.', 'Customer'],
    ['Xaver: Ich komme morgen.', 'Xaver'],
  ])('is told by the label: %s', (body, speaker) => {
    expect(speakerOf(body)).toBe(speaker);
  });

  it.each([
    'Data: Temperature readings, Basic plan; Kept for: 13 months; Deleted by: nightly job',
    'Name: Felix Harnisch; Role: Firmware Engineer',
    'Version: 4.1.6',
    'Tag: A small battery-powered logger.',
    'Battery life: 30 months',
    'Validated: a plan for those who are inspected.',
    'The harbour was opened in 1931: nobody came.',
  ])('is nobody in a text that is no turn: %s', (body) => {
    expect(speakerOf(body)).toBeNull();
  });
});

describe('whether who asks, asks about himself', () => {
  it.each([
    'Where did I park?',
    'What is my blood type?',
    'Can you please tell me where I park?',
    'Wo habe ich geparkt?',
  ])('is told by the first person: %s', (question) => {
    expect(asksAboutSelf(question)).toBe(true);
  });

  it.each([
    'Where does Ann park?',
    'Can you remind me what the average was?',
    'What did you tell me about parking?',
    'Qué me dijo usted?',
    'Which of the mice is ill?',
  ])('is not, about somebody else or about what he was told: %s', (question) => {
    expect(asksAboutSelf(question)).toBe(false);
  });
});
