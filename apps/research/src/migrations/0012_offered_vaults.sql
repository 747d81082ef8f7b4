-- Where the documents lie whose titles a question of the run offers: the run is erased with any of these vaults, also when
-- it has read nothing from there.
ALTER TABLE research_runs ADD COLUMN offered_vaults text[] NOT NULL DEFAULT '{}';
