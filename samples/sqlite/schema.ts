/**
 * A table comes after the tables that it references. `tables` in build.ts has the same order, because the rows are
 * inserted with foreign keys enforced.
 */
export const schema = `
CREATE TABLE elements (
  atomic_number   INTEGER PRIMARY KEY,
  symbol          TEXT NOT NULL UNIQUE,
  name            TEXT NOT NULL UNIQUE,
  atomic_mass     REAL,    -- standard atomic weight; NULL where none is defined
  group_number    INTEGER, -- NULL for lanthanides and actinides
  period          INTEGER NOT NULL,
  category        TEXT,    -- NULL where the chemistry is not confirmed
  phase           TEXT CHECK (phase IN ('solid', 'liquid', 'gas')),
  discovered_year INTEGER  -- NULL where known since antiquity or where sources disagree
);

CREATE TABLE planets (
  id                   INTEGER PRIMARY KEY,
  name                 TEXT NOT NULL UNIQUE,
  kind                 TEXT NOT NULL CHECK (kind IN ('planet', 'dwarf planet')),
  radius_km            REAL NOT NULL,
  mass_kg              REAL NOT NULL,
  semi_major_axis_au   REAL NOT NULL,
  orbital_period_years REAL NOT NULL,
  has_rings            BOOLEAN NOT NULL,
  discovered_year      INTEGER,
  discoverer           TEXT,
  atmosphere           JSON NOT NULL CHECK (json_valid(atmosphere))
);

CREATE TABLE moons (
  id              INTEGER PRIMARY KEY,
  planet_id       INTEGER NOT NULL REFERENCES planets (id),
  name            TEXT NOT NULL UNIQUE,
  radius_km       REAL,
  discovered_year INTEGER,
  discoverer      TEXT
);
CREATE INDEX moons_planet ON moons (planet_id);

CREATE TABLE space_missions (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  agency      TEXT NOT NULL,
  launch_date TEXT NOT NULL, -- UTC, ISO 8601
  destination TEXT NOT NULL,
  planet_id   INTEGER REFERENCES planets (id),
  crewed      BOOLEAN NOT NULL,
  outcome     TEXT NOT NULL CHECK (outcome IN ('success', 'partial', 'failure')),
  targets     JSON NOT NULL CHECK (json_valid(targets)),
  notes       TEXT NOT NULL DEFAULT ''
);
CREATE INDEX space_missions_launch ON space_missions (launch_date);

CREATE TABLE mission_crew (
  mission_id INTEGER NOT NULL REFERENCES space_missions (id) ON DELETE CASCADE,
  astronaut  TEXT NOT NULL,
  role       TEXT NOT NULL,
  PRIMARY KEY (mission_id, astronaut)
);

CREATE TABLE countries (
  code           TEXT PRIMARY KEY NOT NULL, -- ISO 3166-1 alpha-2
  name           TEXT NOT NULL,
  capital        TEXT NOT NULL,
  currency       TEXT NOT NULL,             -- ISO 4217
  drives_on_left BOOLEAN NOT NULL,
  flag           BLOB                       -- PNG, only where the flag is plain stripes
);

CREATE TABLE mountains (
  id           INTEGER PRIMARY KEY,
  name         TEXT NOT NULL,
  height_m     INTEGER NOT NULL,
  range        TEXT NOT NULL, -- '' for a mountain that stands alone
  latitude     REAL NOT NULL,
  longitude    REAL NOT NULL,
  first_ascent INTEGER        -- NULL where unclimbed or uncertain
);
CREATE INDEX mountains_height ON mountains (height_m DESC);

CREATE TABLE mountain_countries (
  mountain_id  INTEGER NOT NULL REFERENCES mountains (id) ON DELETE CASCADE,
  country_code TEXT NOT NULL REFERENCES countries (code),
  PRIMARY KEY (mountain_id, country_code)
) WITHOUT ROWID;

CREATE TABLE languages (
  code   TEXT PRIMARY KEY NOT NULL, -- ISO 639
  name   TEXT NOT NULL,
  family TEXT NOT NULL,
  script TEXT NOT NULL
);

CREATE TABLE authors (
  id          INTEGER PRIMARY KEY,
  given_name  TEXT NOT NULL, -- '' if the name has no given name
  family_name TEXT NOT NULL,
  born_year   INTEGER,       -- negative before the common era
  died_year   INTEGER
);

CREATE TABLE books (
  id            INTEGER PRIMARY KEY,
  title         TEXT NOT NULL,
  subtitle      TEXT NOT NULL,                   -- '' where there is none
  author_id     INTEGER REFERENCES authors (id), -- NULL for anonymous works
  language_code TEXT NOT NULL REFERENCES languages (code),
  year          INTEGER                          -- NULL where not recorded
);
CREATE INDEX books_author ON books (author_id);

CREATE TABLE unit_conversions (
  from_unit TEXT NOT NULL,
  to_unit   TEXT NOT NULL,
  factor    REAL NOT NULL
);

CREATE VIEW moons_by_planet AS
SELECT planets.name AS planet, count(moons.id) AS moons, max(moons.radius_km) AS largest_radius_km
FROM planets LEFT JOIN moons ON moons.planet_id = planets.id
GROUP BY planets.id ORDER BY planets.id;

CREATE VIEW crewed_missions AS
SELECT m.name AS mission, m.launch_date, m.destination, c.astronaut, c.role
FROM space_missions AS m JOIN mission_crew AS c ON c.mission_id = m.id
ORDER BY m.launch_date, c.role;
`;
