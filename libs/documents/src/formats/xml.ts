import { Parser } from 'htmlparser2';
import { ParseFailure } from '../parsed.ts';

interface XmlHandlers {
  /** Names without their namespace prefix. */
  open?: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const DEPTH_MAX = 512;

/**
 * Reads XML of an office file. A document type is refused: no such file needs one, and it is what entities that
 * grow or that name files are declared in.
 */
export function readXml(xml: string, handlers: XmlHandlers): void {
  refuseDocumentType(xml);
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DEPTH_MAX) throw new ParseFailure('nested_too_deep', 'The file is nested too deep to be read.');
        handlers.open?.(localName(name), attributes);
      },
      ontext: (text) => handlers.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handlers.close?.(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
}

export function refuseDocumentType(xml: string): void {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) {
    throw new ParseFailure('unsafe_file', 'The file declares entities of its own, which documents have no use for.');
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
