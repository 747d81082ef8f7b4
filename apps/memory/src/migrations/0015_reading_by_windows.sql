-- What a text says to hold no longer, whether or not it says since when.
ALTER TABLE graph_facts ADD COLUMN ended boolean NOT NULL DEFAULT false;

-- By which version of the extractor a memory's documents were read; those of an older one are read again in the
-- background. Rows without a version are of the second.
ALTER TABLE graph_memories ADD COLUMN extractor_version int NOT NULL DEFAULT 2;
