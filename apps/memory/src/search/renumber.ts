interface Cited {
  text: string;
  cited: { number: number }[];
}

/** Numbers citations from 1 without gaps, in the answer and in the list. */
export function renumbered<Some extends Cited>(outcome: Some): Some {
  const numbers = new Map(outcome.cited.map(({ number }, index) => [number, index + 1]));
  return {
    ...outcome,
    text: outcome.text.replace(/\[(\d{1,2})\]/g, (whole, number: string) => {
      const after = numbers.get(Number(number));
      return after === undefined ? whole : `[${after}]`;
    }),
    cited: outcome.cited.map((one, index) => ({ ...one, number: index + 1 })),
  };
}
