import type { getSavedList, listRows, ResponseOf } from '@cairn/contracts';
import type { ListRecord, ListRowRecord } from './list-store.ts';

export function presentList(list: ListRecord): ResponseOf<typeof getSavedList> {
  return {
    id: list.list_id,
    listName: list.list_name,
    listDescription: list.list_description,
    listStatus: list.list_status,
    listType: list.list_type,
    noOfRecords: list.records,
    thread_id: list.run_id,
    created_at: list.created_at.toISOString(),
  };
}

export function presentRow(row: ListRowRecord): ResponseOf<typeof listRows>['data'][number] {
  return {
    row_id: row.row_id,
    position: row.position,
    name: row.name,
    cells: row.cells,
    sources: row.sources,
    created_at: row.created_at.toISOString(),
  };
}
