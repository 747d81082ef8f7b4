export interface ServerSentEvent {
  type: string;
  id: string | null;
  data: string;
}

/** Reads server-sent events (WHATWG HTML, 9.2.6). */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let event: { type: string; id: string | null; data: string[] } = { type: 'message', id: null, data: [] };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === '') {
          if (event.data.length > 0) yield { ...event, data: event.data.join('\n') };
          event = { type: 'message', id: null, data: [] };
          continue;
        }
        const colon = line.indexOf(':');
        const field = colon === -1 ? line : line.slice(0, colon);
        const text = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'event') event.type = text;
        else if (field === 'data') event.data.push(text);
        else if (field === 'id') event.id = text;
      }
    }
  } finally {
    // Also when the loop over the events is left.
    await reader.cancel().catch(() => undefined);
  }
}
