import type { Tx } from '@cairn/postgres';

/** The names of a table whose rows are worked on under a lease. They are constants of the code, never input. */
interface LeaseColumns<Column extends string> {
  name: string;
  /** The columns that identify a row. */
  key: readonly Column[];
  /** The column with the name of the owner. */
  owner: Column;
  /** The column with the end of the lease, by the database's clock. */
  until: string;
  /** The column whose value differs from claim to claim: a write under an earlier value is refused. Default: `owner`. */
  fence?: Column;
  /** A further condition that a leased row meets, such as its status. */
  leasedIf?: string;
}

/** A claimed row: its key and the fence prove the lease. */
type Claim<Column extends string> = Readonly<Record<Column, unknown>>;

/** Which rows are due, and in which order. The SQL is constant; its table has the alias `job`. */
export interface DueRows {
  due: string;
  /** The values of `$1`, `$2`, … in `due`. */
  values: readonly unknown[];
  orderBy: string;
  /** What a claim changes, apart from owner and lease. */
  set?: string;
  /** The columns to return; all of them by default. The key and the fence must be among them. */
  returning?: string;
  /** The tenants take turns, and the owner holds at most so many rows of each. */
  fair?: { tenant: string; perTenantMax: number };
}

/** SQL for the time that lies so many milliseconds ahead by the database's clock. */
export function afterMs(parameter: string): string {
  return `now() + make_interval(secs => ${parameter}::float8 / 1000)`;
}

/** Claims rows of the table, and writes to them only under the lease of a claim. */
export function leaseTable<Column extends string>(columns: LeaseColumns<Column>) {
  const { name, until, fence = columns.owner, leasedIf = 'true' } = columns;
  const proof = [...columns.key, fence];
  const isHeld = (parametersBefore: number) =>
    [...proof.map((column, n) => `${column} = $${parametersBefore + n + 1}`), leasedIf].join(' AND ');
  const proofOf = (claim: Claim<Column>) => proof.map((column) => claim[column]);

  /** Updates the row with `set`, whose parameters are `values`. False, and nothing changes, when the lease was lost. */
  async function update(tx: Tx, claim: Claim<Column>, set: string, values: readonly unknown[] = []): Promise<boolean> {
    const text = `UPDATE ${name} SET ${set} WHERE ${isHeld(values.length)}`;
    return (await tx.execute(text, [...values, ...proofOf(claim)])) > 0;
  }
  return {
    /**
     * Claims at most `max` due rows whose lease is over or was never taken, for `owner` and the time of a lease. Rows
     * that another transaction has locked are skipped.
     */
    claimDue<Row extends object>(tx: Tx, claim: { owner: string; leaseMs: number; max: number }, rows: DueRows) {
      const values = [...rows.values, claim.owner, claim.leaseMs, claim.max];
      if (rows.fair !== undefined) values.push(rows.fair.perTenantMax);
      return tx.query<Row>(claimStatement(columns, rows), values);
    },
    update,
    /** Makes the lease last so long from now. False when it was lost. */
    extend(tx: Tx, claim: Claim<Column>, leaseMs: number): Promise<boolean> {
      return update(tx, claim, `${until} = ${afterMs('$1')}`, [leaseMs]);
    },
    /**
     * Locks the row until the transaction ends: whatever else the transaction writes is committed under the lease. False
     * when the lease was lost.
     */
    async hold(tx: Tx, claim: Claim<Column>): Promise<boolean> {
      const text = `SELECT 1 FROM ${name} WHERE ${isHeld(0)} FOR NO KEY UPDATE`;
      return (await tx.query({ name: `hold_${name}`, text, values: proofOf(claim) })).length > 0;
    },
    /** Deletes the row. False, and nothing changes, when the lease was lost. */
    async delete(tx: Tx, claim: Claim<Column>): Promise<boolean> {
      return (await tx.execute(`DELETE FROM ${name} WHERE ${isHeld(0)}`, proofOf(claim))) > 0;
    },
  };
}

function claimStatement({ name, owner, until, leasedIf, ...columns }: LeaseColumns<string>, rows: DueRows): string {
  const { orderBy, set, fair, returning = '*' } = rows;
  const key = columns.key.join(', ');
  const [ownerName, leaseMs, max, perTenantMax] = [1, 2, 3, 4].map((n) => `$${rows.values.length + n}`);
  const isDue = `(job.${until} IS NULL OR job.${until} < now()) AND (${rows.due})`;
  const chosen =
    fair === undefined
      ? `chosen AS (
           SELECT ${key} FROM ${name} AS job WHERE ${isDue} ORDER BY ${orderBy} LIMIT ${max} FOR UPDATE SKIP LOCKED)`
      : `owned AS (
           SELECT ${fair.tenant}, count(*) AS owned_rows FROM ${name}
            WHERE ${owner} = ${ownerName} AND ${leasedIf ?? 'true'} GROUP BY ${fair.tenant}),
         due AS MATERIALIZED (
           SELECT ${key}, row_number() OVER (PARTITION BY ${fair.tenant} ORDER BY ${orderBy}) + coalesce(owned_rows, 0) AS place
             FROM ${name} AS job LEFT JOIN owned USING (${fair.tenant}) WHERE ${isDue}),
         chosen AS (
           SELECT ${key} FROM ${name} AS job JOIN due USING (${key}) WHERE place <= ${perTenantMax} AND ${isDue}
            ORDER BY place, ${orderBy} LIMIT ${max} FOR UPDATE OF job SKIP LOCKED)`;
  return `WITH ${chosen}
    UPDATE ${name} SET ${owner} = ${ownerName}, ${until} = ${afterMs(leaseMs!)}${set === undefined ? '' : `, ${set}`}
     WHERE (${key}) IN (SELECT ${key} FROM chosen) RETURNING ${returning}`;
}
