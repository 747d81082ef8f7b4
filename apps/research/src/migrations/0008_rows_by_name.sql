-- A crawl looks rows up by their names, which may be longer than an index entry.
CREATE INDEX list_rows_by_name ON list_rows (list_id, md5(lower(name)));
