import type { Document } from '@cairn/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { cairn } from '../../app/client.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { bytesText } from '../../text/format.ts';
import { words } from '../../words/documents.ts';

const WEB = /^https?:\/\//;

export function AboutDocument({ document }: { document: Document }) {
  const { labels } = words;
  const rows: [string, ReactNode][] = [
    [labels.id, <code key="id">{document.doc_id}</code>],
    [labels.space, document.space_id ?? words.everyStatus],
    [labels.type, `${document.media_type}, ${bytesText(document.bytes)}`],
    [labels.added, <Time key="added" at={document.created_at} />],
  ];
  if (document.occurred_at !== null) rows.push([labels.date, <Time key="date" at={document.occurred_at} />]);
  if (document.source_uri !== null) rows.push([labels.source, <Source key="source" uri={document.source_uri} />]);
  if (document.original !== null) rows.push([labels.original, <Original key="original" document={document} />]);
  if (document.external_id !== null) rows.push([labels.external, <code key="external">{document.external_id}</code>]);
  if (document.masked.length > 0) {
    rows.push([labels.masked, document.masked.map(({ kind, count }) => `${kind} ${count}`).join(', ')]);
  }
  if (document.error !== null) rows.push([labels.error, `${document.error.message} (${document.error.code})`]);
  for (const [name, value] of Object.entries(document.metadata)) rows.push([name, String(value)]);
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** It is saved as a file: nothing of it is shown or run on this origin. */
function Original({ document: { doc_id, memory_id, original, title } }: { document: Document }) {
  const download = useMutation({
    mutationFn: async () => {
      const response = await cairn.documents.original(doc_id, { memory_id });
      saveAs(await response.blob(), nameIn(response.headers.get('content-disposition') ?? '') ?? title);
    },
  });
  return (
    <>
      <button type="button" className="link" disabled={download.isPending} onClick={() => download.mutate()}>
        {words.download(bytesText(original?.bytes ?? 0))}
      </button>
      {download.error !== null && <Problem error={download.error} />}
    </>
  );
}

/** The name that the server gives the file (RFC 6266). */
function nameIn(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? /filename="?([^";]+)/i.exec(disposition)?.[1] : decodeURIComponent(encoded);
}

function saveAs(blob: Blob, name: string): void {
  const link = Object.assign(globalThis.document.createElement('a'), {
    href: URL.createObjectURL(blob),
    download: name,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A document may say anything about where it came from; only the web's own addresses become links. */
function Source({ uri }: { uri: string }) {
  if (!WEB.test(uri)) return uri;
  return (
    <a href={uri} rel="noopener noreferrer" target="_blank">
      {uri}
    </a>
  );
}
