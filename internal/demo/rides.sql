CREATE TABLE stations (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  district TEXT NOT NULL,
  docks INTEGER NOT NULL CHECK (docks > 0),
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  opened_on DATE NOT NULL
);
INSERT INTO stations VALUES
  (1, 'Old Harbour', 'Waterside', 24, 53.5441, 9.9663, '2019-04-01'),
  (2, 'Town Hall', 'Centre', 36, 53.5503, 9.9926, '2019-04-01'),
  (3, 'Central Station', 'Centre', 48, 53.5529, 10.0067, '2019-04-01'),
  (4, 'Botanical Garden', 'North', 18, 53.5614, 9.9812, '2019-06-15'),
  (5, 'University', 'North', 30, 53.5668, 9.9847, '2019-06-15'),
  (6, 'Fish Market', 'Waterside', 20, 53.5446, 9.9519, '2020-03-01'),
  (7, 'Concert Hall', 'Waterside', 22, 53.5413, 9.9841, '2020-03-01'),
  (8, 'East Park', 'East', 16, 53.5571, 10.0472, '2021-05-10');

CREATE TABLE bikes (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL CHECK (model IN ('city', 'cargo', 'electric')),
  bought_on DATE NOT NULL,
  station_id INTEGER REFERENCES stations (id),
  out_of_service TEXT
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO bikes
SELECT i, CASE WHEN i % 10 = 0 THEN 'cargo' WHEN i % 4 = 0 THEN 'electric' ELSE 'city' END,
  date('2019-03-01', '+' || (i * 13) || ' days'), CASE WHEN i % 7 = 0 THEN NULL ELSE i % 8 + 1 END,
  CASE WHEN i % 17 = 0 THEN 'brakes' WHEN i % 23 = 0 THEN 'flat tyre' END
FROM n;

CREATE TABLE riders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL CHECK (plan IN ('single', 'month', 'year')),
  joined_on DATE NOT NULL
);
INSERT INTO riders VALUES
  (1, 'Ada Brandt', 'ada@example.com', 'year', '2023-01-12'), (2, 'Ben Okafor', 'ben@example.com', 'month', '2023-02-03'),
  (3, 'Chloé Martin', 'chloe@example.com', 'year', '2023-02-20'), (4, 'Dmitri Petrov', 'dmitri@example.com', 'single', '2023-03-05'),
  (5, 'Elif Yılmaz', 'elif@example.com', 'month', '2023-04-18'), (6, 'Femi Adeyemi', 'femi@example.com', 'year', '2023-05-02'),
  (7, 'Grace Lindqvist', 'grace@example.com', 'single', '2023-05-30'), (8, 'Hiro Tanaka', 'hiro@example.com', 'year', '2023-06-21'),
  (9, 'Inés García', 'ines@example.com', 'month', '2023-08-09'), (10, 'Jonas Weber', 'jonas@example.com', 'single', '2023-10-27');

CREATE TABLE rides (
  id INTEGER PRIMARY KEY,
  rider_id INTEGER NOT NULL REFERENCES riders (id),
  bike_id INTEGER NOT NULL REFERENCES bikes (id),
  from_station INTEGER NOT NULL REFERENCES stations (id),
  to_station INTEGER REFERENCES stations (id),
  started_at TIMESTAMP NOT NULL,
  minutes INTEGER,
  price_cents INTEGER
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO rides
SELECT i, i * 7 % 10 + 1, i * 11 % 60 + 1, i * 5 % 8 + 1, CASE WHEN i > 597 THEN NULL ELSE i * 3 % 8 + 1 END,
  datetime('2024-01-01 06:00:00', '+' || (i * 875) || ' minutes'), CASE WHEN i > 597 THEN NULL ELSE 4 + i * 37 % 71 END,
  CASE WHEN i > 597 THEN NULL ELSE 100 + (4 + i * 37 % 71) * 12 END
FROM n;
CREATE INDEX rides_by_rider ON rides (rider_id, started_at);

CREATE VIEW busiest_stations AS
SELECT s.id, s.name, s.district, COUNT(*) AS departures FROM rides r JOIN stations s ON s.id = r.from_station GROUP BY s.id ORDER BY departures DESC
