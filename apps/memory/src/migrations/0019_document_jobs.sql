-- Documents deleted or tried again many at a time, and what was submitted of those that failed, so that they can be.

CREATE TABLE failed_content (
  tenant_id   text NOT NULL COLLATE "C",
  memory_id   text NOT NULL COLLATE "C",
  doc_id      text NOT NULL COLLATE "C",
  -- Sealed, as it waited in the queue. NULL: the document is indexed and only has to be linked.
  payload     bytea,
  bytes       bigint NOT NULL,
  lane        smallint NOT NULL,
  -- NULL: as long as the document, which is for those that take no room, such as an address.
  keep_until  timestamptz,
  PRIMARY KEY (tenant_id, memory_id, doc_id),
  FOREIGN KEY (tenant_id, memory_id, doc_id) REFERENCES documents ON DELETE CASCADE
);
ALTER TABLE failed_content ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX failed_content_by_time ON failed_content (keep_until) WHERE keep_until IS NOT NULL;
SELECT isolate_by_tenant('failed_content');
SELECT let_worker_cross_tenants('failed_content');

CREATE TABLE document_jobs (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  job_id       text NOT NULL COLLATE "C",
  -- The vault of the space that it is about; NULL: the whole memory.
  vault_id     text COLLATE "C",
  kind         text NOT NULL CHECK (kind IN ('delete', 'retry')),
  -- In order; NULL: those that the filter matches.
  doc_ids      text[],
  filter       jsonb,
  -- The newest document when the job was made; later ones are not its concern.
  up_to        text NOT NULL COLLATE "C",
  -- The last document that was dealt with.
  position     text NOT NULL DEFAULT '' COLLATE "C",
  documents    int NOT NULL,
  done         int NOT NULL DEFAULT 0,
  failed       int NOT NULL DEFAULT 0,
  -- Failures of the step that comes next.
  attempts     int NOT NULL DEFAULT 0,
  due_at       timestamptz NOT NULL DEFAULT now(),
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  PRIMARY KEY (tenant_id, memory_id, job_id)
);
CREATE INDEX document_jobs_due ON document_jobs (due_at) WHERE completed_at IS NULL;
SELECT isolate_by_tenant('document_jobs');
SELECT let_worker_cross_tenants('document_jobs');

CREATE TABLE document_job_problems (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  job_id     text NOT NULL COLLATE "C",
  doc_id     text NOT NULL COLLATE "C",
  code       text NOT NULL,
  message    text NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, job_id, doc_id),
  FOREIGN KEY (tenant_id, memory_id, job_id) REFERENCES document_jobs ON DELETE CASCADE
);
SELECT isolate_by_tenant('document_job_problems');
