import type { ReactNode } from 'react';

export interface Column<Row> {
  name: string;
  number?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  /** For readers of the screen. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
}

/** On a narrow screen every row is a card of labelled values. */
export function Table<Row>({ caption, columns, rows, idOf }: TableProps<Row>) {
  return (
    <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className="rows">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, number }) => (
              <th key={name} scope="col" className={number === true ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ name, number, cell }) => (
                <td key={name} data-label={name} className={number === true ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
