-- What each engine held and did when it was measured last; NULL before the first time. New memories are placed by it.
ALTER TABLE engines
  ADD COLUMN bytes                   bigint,
  ADD COLUMN chunks                  bigint,
  -- As the server counts them, since its statistics began.
  ADD COLUMN transactions            bigint,
  ADD COLUMN transactions_per_second double precision,
  ADD COLUMN measured_at             timestamptz;
