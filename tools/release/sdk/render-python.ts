import { type Answer, type ApiModel, type Call, type Field, fieldsOf, resolve, wordsOf } from './api-model.ts';
import { marksOf, pascal, uploadName } from './call-names.ts';
import { docText, PythonTypes, snakeCase } from './python-types.ts';

const HEADER = '# Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.\n';

/** The files of the Python SDK that are made of the operations, by their path in `sdk/python/src/cairn/generated`. */
export function renderPython(api: ApiModel): Record<string, string> {
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(api.schemas)) types.declare(name, schema);
  const resources = ['', 'Async'].map((prefix) => resourcesOf(api, prefix, types)).join('\n');
  const words = new Set(resources.match(/\w+/g));
  const declared = types.declarations.map((text) => /^(?:class )?(\w+)/.exec(text)![1]!);
  const imports = [...new Set(declared)].filter((name) => words.has(name)).toSorted();
  return {
    '__init__.py': HEADER,
    'types.py': `${HEADER}from __future__ import annotations

from typing import Any, Dict, List, Literal, TypeAlias, TypedDict

${types.declarations.join('\n')}`,
    'resources.py': `${HEADER}from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, cast

import httpx

from .._call import Call, arguments
from .._options import NOT_GIVEN, FileInput, NotGiven, RequestOptions
from .._pages import AsyncPages, Pages
from .._streams import AsyncEventStream, EventStream
from .._transport import AsyncTransport, Transport
from .types import (
${imports.map((name) => `    ${name},\n`).join('')})

${resources}`,
  };
}

interface Node {
  calls: { name: string; call: Call; upload: boolean }[];
  below: Map<string, Node>;
}

function resourcesOf(api: ApiModel, prefix: string, types: PythonTypes): string {
  const root: Node = { calls: [], below: new Map() };
  for (const call of api.calls) {
    if (call.body !== null || call.upload === null) add(root, call.name, call, false);
    if (call.upload !== null) add(root, uploadName(call), call, true);
  }
  return classesOf('', root, prefix, api, types);
}

function add(root: Node, path: string, call: Call, upload: boolean): void {
  const parts = path.split('.');
  const name = parts.pop()!;
  const at = parts.reduce((node, part) => {
    const next: Node = node.below.get(part) ?? { calls: [], below: new Map() };
    node.below.set(part, next);
    return next;
  }, root);
  at.calls.push({ name, call, upload });
}

function classesOf(path: string, node: Node, prefix: string, api: ApiModel, types: PythonTypes): string {
  const inner = [...node.below].map(([part, below]) => classesOf(path + pascal(part), below, prefix, api, types));
  const attributes = [...node.below.keys()].map(
    (part) => `        self.${snakeCase(part)} = ${prefix}${path}${pascal(part)}(transport, defaults)\n`,
  );
  const methods = node.calls.map(({ name, call, upload }) => methodOf(name, call, upload, prefix, api, types));
  const name = path === '' ? `${prefix}Resources` : prefix + path;
  return `${inner.join('')}
class ${name}:
    def __init__(self, transport: ${prefix}Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
${attributes.join('')}
${methods.join('\n')}
`;
}

function methodOf(
  name: string,
  call: Call,
  upload: boolean,
  prefix: string,
  api: ApiModel,
  types: PythonTypes,
): string {
  const body = upload ? call.upload! : call.body === null ? [] : fieldsOf(resolve(call.body, api.schemas));
  const fields = [...call.query, ...body].toSorted((a, b) => Number(b.required) - Number(a.required));
  const path = call.params.map((field) => `${snakeCase(field.name)}: str`);
  const file = upload ? ['file: FileInput'] : [];
  const named = fields.map((field) => parameterOf(field, call, types));
  // A message of a protocol that is not ours: whatever it holds.
  const message = call.answer.kind === 'mcp' ? ['message: Dict[str, Any]'] : [];
  const parameters = ['self', ...path, ...file, ...message, '*', ...named, 'options: Optional[RequestOptions] = None'];
  const filled = call.path.replaceAll(/\{(\w+)\}/g, (_whole, field: string) => `{${field}}`);
  const marks = marksOf(call).filter((mark) => !mark.startsWith('page:') && !mark.startsWith('numbered:'));
  const specification = [
    JSON.stringify(call.method),
    JSON.stringify(filled),
    `{${call.params.map((field) => `${JSON.stringify(field.name)}: ${snakeCase(field.name)}`).join(', ')}}`,
    `frozenset({${marks.map((mark) => JSON.stringify(mark.replace(/:.*/, ''))).join(', ')}})`,
    `frozenset({${call.query.map((field) => JSON.stringify(field.name)).join(', ')}})`,
  ];
  const given =
    message.length > 0
      ? 'message'
      : `arguments({${fields.map((field) => `${JSON.stringify(field.name)}: ${snakeCase(field.name)}`).join(', ')}}${call.takesMemory ? ', self._defaults' : ''})`;
  const { type, statement, waits } = returnOf(call, call.answer, prefix, types);
  const doc = docText(wordsOf(call));
  return `    ${waits && prefix !== '' ? 'async ' : ''}def ${snakeCase(name)}(
        ${parameters.join(',\n        ')},
    ) -> ${type}:
        """${doc}"""
        call = Call(${specification.join(', ')})
        given = ${given}
        ${statement.replace('FILE', upload ? ', file' : '')}
`;
}

function parameterOf(field: Field, call: Call, types: PythonTypes): string {
  const schema =
    field.name === 'metadata' && field.schema.type === 'string' ? { ...field.schema, type: 'object' } : field.schema;
  const type = types.typeOf(schema, pascal(call.id) + pascal(field.name));
  return field.required
    ? `${snakeCase(field.name)}: ${type}`
    : `${snakeCase(field.name)}: ${type} | NotGiven = NOT_GIVEN`;
}

function returnOf(
  call: Call,
  answer: Answer,
  prefix: string,
  types: PythonTypes,
): { type: string; statement: string; waits: boolean } {
  const wait = prefix === '' ? '' : 'await ';
  const sent = `${wait}self._transport.json(call, given, options FILE)`.replace(' FILE', 'FILE');
  switch (answer.kind) {
    case 'json': {
      const type = types.typeOf(answer.schema, `${pascal(call.id)}Response`);
      return { type, statement: `return cast("${type}", ${sent})`, waits: true };
    }
    case 'page':
    case 'numbered': {
      const [item, page] = [
        types.typeOf(answer.item, `${pascal(call.id)}Item`),
        types.typeOf(answer.schema, `${pascal(call.id)}Response`),
      ];
      const type = `${prefix}Pages[${item}, ${page}]`;
      const numbered = answer.kind === 'numbered' ? 'True' : 'False';
      return {
        type,
        statement: `return ${prefix}Pages(self._transport, call, given, options, ${JSON.stringify(answer.items)}, ${numbered})`,
        waits: false,
      };
    }
    case 'stream':
      return {
        type: `${prefix}EventStream`,
        statement: `return ${prefix}EventStream(self._transport, call, given, options)`,
        waits: false,
      };
    case 'socket':
      return { type: 'str', statement: 'return self._transport.socket_url(call, given)', waits: false };
    case 'file':
      return {
        type: 'httpx.Response',
        statement: `return ${wait}self._transport.response(call, given, options)`,
        waits: true,
      };
    case 'mcp':
      return { type: 'Any', statement: `return ${sent}`, waits: true };
  }
}
