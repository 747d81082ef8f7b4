interface StreamedEvent {
  id: string | null;
  event: string;
  // The cases look into events of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

/** The events of a whole stream; comments are left out. */
export function eventsOf(text: string): StreamedEvent[] {
  return text
    .split('\n\n')
    .filter((block) => /^event: /m.test(block))
    .map((block) => ({
      id: /^id: (.+)$/m.exec(block)?.[1] ?? null,
      event: /^event: (.+)$/m.exec(block)![1]!,
      data: JSON.parse(/^data: (.+)$/m.exec(block)![1]!),
    }));
}
