import { parseHTML } from 'linkedom';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { type DomNode, htmlBlocks } from './html-blocks.ts';
import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { statedTime } from './stated-time.ts';

const KNOWN_HEADERS =
  /^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|content-type|x-[\w-]+):/i;
const DETECTION_HEADERS_MIN = 3;
const ATTACHMENTS_NAMED_MAX = 50;

/** True for a text that begins with the headers of a mail. */
export function looksLikeMail(text: string): boolean {
  const head = text.slice(0, 16_384).split(/\r?\n\r?\n/, 1)[0]!;
  const lines = head.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
  if (
    lines.length < DETECTION_HEADERS_MIN ||
    !lines.every((line) => /^[!-9;-~]+:/.test(line) || line.startsWith('From '))
  )
    return false;
  return lines.filter((line) => KNOWN_HEADERS.test(line)).length >= DETECTION_HEADERS_MIN && /^from:/im.test(head);
}

/** A mail: its subject as title, its text, and who wrote to whom as the context of every piece. */
export async function parseMail(bytes: Uint8Array | string): Promise<ParsedDocument> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 40, maxRfc822NestingDepth: 3 }).catch(
    (error: unknown) => {
      throw failureOf(error);
    },
  );
  const list = new BlockList();
  const text = mail.text ?? '';
  if (text.trim() !== '') {
    for (const paragraph of text.split(/\r?\n[^\S\n]*\r?\n/)) list.add(paragraph.replaceAll('\r', ''));
  } else if (mail.html !== undefined) {
    htmlBlocks(parseHTML(mail.html).document as unknown as DomNode, list);
  }
  const names = mail.attachments.slice(0, ATTACHMENTS_NAMED_MAX).flatMap((attachment) => attachment.filename ?? []);
  if (names.length > 0) list.add(`Attachments: ${names.join(', ')}`);
  return {
    mediaType: 'message/rfc822',
    title: mail.subject === undefined || mail.subject.trim() === '' ? null : mail.subject.trim(),
    context: contextOf(mail),
    blocks: list.blocks,
    occurredAt: statedTime(mail.date ?? ''),
  };
}

function failureOf(error: unknown): ParseFailure {
  const message = error instanceof Error ? error.message : '';
  if (/nesting|depth/i.test(message))
    return new ParseFailure('nested_too_deep', 'The mail holds parts inside of parts too deep to be read.', error);
  return new ParseFailure('broken_file', 'The file is damaged: it cannot be read as a mail.', error);
}

function contextOf(mail: Email): string {
  const from = mail.from === undefined ? '' : peopleOf([mail.from]);
  const to = peopleOf(mail.to ?? []);
  return [from === '' ? '' : `From ${from}`, to === '' ? '' : `to ${to}`].filter((part) => part !== '').join(' ');
}

const PEOPLE_NAMED_MAX = 10;

function peopleOf(addresses: readonly Address[]): string {
  return addresses
    .slice(0, PEOPLE_NAMED_MAX)
    .map((address) => (address.address === undefined || address.name !== '' ? address.name : address.address))
    .join(', ');
}
