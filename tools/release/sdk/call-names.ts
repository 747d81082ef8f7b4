import type { Call } from './api-model.ts';

/** A word, or several with signs between them, as the name of a type. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** The name of the call that sends a file, where another one sends a body. */
export function uploadName(call: Call): string {
  return call.body === null ? call.name : [...call.name.split('.').slice(0, -1), 'upload'].join('.');
}

/** What is special about a call, for the clients that make it. */
export function marksOf(call: Call): string[] {
  const { answer } = call;
  const sendsBody = call.method !== 'GET' && call.method !== 'DELETE';
  return [
    call.idempotent ? 'repeat' : '',
    call.readsOnly ? 'read' : '',
    call.oauth ? 'oauth' : '',
    call.startsRun ? 'run' : '',
    call.takesMemory ? 'memory' : '',
    sendsBody && call.query.length > 0 ? `query:${call.query.map(({ name }) => name).join(',')}` : '',
    sendsBody && call.body === null && call.upload === null ? 'empty' : '',
    call.query.length === 0 && call.body === null && call.upload === null ? 'bare' : '',
    answer.kind === 'page' || answer.kind === 'numbered' ? `${answer.kind}:${answer.items}` : '',
    answer.kind === 'json' || answer.kind === 'page' || answer.kind === 'numbered' ? '' : answer.kind,
  ].filter((mark) => mark !== '');
}
