import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** An archive with the entries, made by hand so that specs can make broken and hostile ones. */
export function makeZip(entries: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const central = Buffer.alloc(42);
    central.writeUInt16LE(20, 0);
    fields.copy(central, 2);
    central.writeUInt32LE(offset, 38);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), central, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, entry) => sum + entry.length, 0),
    8,
  );
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/**
 * A Word document with one paragraph for each text, and a table of the rows; `Heading1: …` is a heading. `prologue`
 * comes before the root.
 */
export function makeDocx(
  paragraphs: readonly string[],
  prologue = '',
  rows: readonly (readonly string[])[] = [],
): Buffer {
  const body = paragraphs
    .map((text) => {
      const heading = /^Heading1: (.*)$/.exec(text)?.[1];
      const style = heading === undefined ? '' : '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>';
      return `<w:p>${style}<w:r><w:t>${heading ?? text}</w:t></w:r></w:p>`;
    })
    .join('');
  const cells = (row: readonly string[]) => row.map((text) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`);
  const lines = rows.map((row) => `<w:tr>${cells(row).join('')}</w:tr>`).join('');
  const table = lines === '' ? '' : `<w:tbl>${lines}</w:tbl>`;
  return makeZip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`,
    '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `<?xml version="1.0"?><w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/document.xml': `<?xml version="1.0"?>${prologue}<w:document xmlns:w="${WORD}"><w:body>${body}${table}</w:body></w:document>`,
  });
}

/** A font that does not say which letters its codes are. */
export const FONT_WITHOUT_LETTERS = '/Subtype /TrueType /BaseFont /Custom';

/** A PDF with one line on each page. */
export function makePdf(pages: readonly string[], font = '/Subtype /Type1 /BaseFont /Helvetica'): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const kids: string[] = [];
  for (const text of pages) {
    const stream = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    const resources = `<< /Font << /F1 << /Type /Font ${font} >> >> >>`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources ${resources} >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

/** A small PDF whose only page unpacks to so many megabytes. */
export function makePdfBomb(megabytes: number): Buffer {
  const page = deflateSync(Buffer.alloc(megabytes * 1_048_576, '(a) Tj '), { level: 1 }).toString('latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    `<< /Length ${page.length} /Filter /FlateDecode >>\nstream\n${page}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  // Without a table of places the reader looks for the objects itself.
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF`, 'latin1');
}

/** A workbook with one sheet. */
export function makeXlsx(rows: readonly (readonly (string | number)[])[]): Buffer {
  const cells = (row: readonly (string | number)[]) =>
    row
      .map((value) =>
        typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`,
      )
      .join('');
  return makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Stock" sheetId="1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${cells(row)}</row>`).join('')}</sheetData></worksheet>`,
  });
}
