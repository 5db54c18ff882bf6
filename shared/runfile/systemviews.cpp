// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemviews.h"

namespace tasuki {

// They say in SQL what SystemState and AlarmList say in C++; a test holds them together. Names of
// processors and seats are those of the layout that held when the event happened.
const char* const systemViews = R"sql(
CREATE VIEW IF NOT EXISTS failovers AS -- seats, and the place of the system master, that another took over
WITH layouts AS MATERIALIZED (SELECT id FROM event WHERE kind = 15),
health AS MATERIALIZED (
  SELECT e.id, p.value AS processor, c.value AS cause,
    (SELECT value FROM detail WHERE event = e.id AND name = 'lost_us') AS lost
  FROM event AS e JOIN detail AS p ON p.event = e.id AND p.name = 'processor'
    JOIN detail AS c ON c.event = e.id AND c.name = 'cause' WHERE e.kind = 17),
taken AS (
  SELECT e.id, e.kind, e.wall_us, s.value AS seat, h.value AS holder, f.value AS previous,
    (SELECT max(id) FROM layouts WHERE id < e.id) AS layout
  FROM event AS e JOIN detail AS s ON s.event = e.id AND s.name = 'seat'
    JOIN detail AS h ON h.event = e.id AND h.name = 'holder'
    JOIN detail AS f ON f.event = e.id AND f.name = 'previous' WHERE e.kind = 18
  UNION ALL
  SELECT e.id, e.kind, e.wall_us, NULL, h.value, f.value, NULL
  FROM event AS e JOIN detail AS r ON r.event = e.id AND r.name = 'role' AND r.value = 2
    JOIN detail AS h ON h.event = e.id AND h.name = 'processor'
    JOIN detail AS f ON f.event = e.id AND f.name = 'previous' WHERE e.kind = 20)
SELECT t.id >> 40 AS epoch, t.id & 1099511627775 AS sequence,
  strftime('%Y-%m-%d %H:%M:%f', t.wall_us / 1e6, 'unixepoch') AS time,
  iif(t.kind = 20, 'system master', iif((SELECT value FROM detail WHERE event = t.layout AND name = 'subclusters') > 1,
    (SELECT CAST(n.value AS TEXT) || ' ' FROM detail AS n JOIN detail AS c
      ON c.event = t.layout AND c.name = 'seat.' || t.seat || '.subcluster'
      WHERE n.event = t.layout AND n.name = 'subcluster.' || c.value || '.name'), '')
  || (SELECT CASE k.value WHEN 0 THEN 'rank ' || i.value WHEN 1 THEN 'I/O ' || i.value
      ELSE 'master' END FROM detail AS k JOIN detail AS i
      ON i.event = t.layout AND i.name = 'seat.' || t.seat || '.index'
      WHERE k.event = t.layout AND k.name = 'seat.' || t.seat || '.kind')) AS place,
  (SELECT value FROM detail WHERE event = t.id AND name = 'incarnation') AS incarnation,
  t.previous AS from_processor, t.holder AS to_processor,
  CASE ifnull((SELECT cause FROM health WHERE processor = t.previous AND id < t.id
      AND id >> 40 = t.id >> 40 ORDER BY id DESC LIMIT 1), 0)
    WHEN 0 THEN 'none' WHEN 1 THEN 'late' WHEN 2 THEN 'silent' WHEN 3 THEN 'stopped'
    WHEN 4 THEN 'gone' WHEN 5 THEN 'stuck' WHEN 6 THEN 'missing' WHEN 7 THEN 'ordered' END AS cause,
  (SELECT value / 1e3 FROM detail WHERE event = t.id AND name = 'detection_us' AND value > 0)
    AS detection_ms,
  (SELECT value / 1e3 FROM detail WHERE event = t.id AND name = 'takeover_us' AND value > 0)
    AS takeover_ms,
  strftime('%Y-%m-%d %H:%M:%f', (SELECT lost FROM health WHERE processor = t.previous AND id < t.id
      AND id >> 40 = t.id >> 40 ORDER BY id DESC LIMIT 1) / 1e6, 'unixepoch') AS lost
FROM taken AS t ORDER BY t.id;

CREATE VIEW IF NOT EXISTS alarms AS -- what operators should look after; who has done so
WITH raised AS (
  SELECT e.id, e.wall_us, e.kind,
    (SELECT value FROM detail WHERE event = e.id AND name = CASE e.kind WHEN 17 THEN 'processor'
      WHEN 19 THEN 'seat' WHEN 21 THEN 'subcluster' END) AS subject,
    (SELECT CAST(value AS TEXT) FROM detail WHERE event = e.id
      AND name = CASE e.kind WHEN 10 THEN 'text' WHEN 21 THEN 'cause' END) AS text
  FROM event AS e
  WHERE e.kind = 19
    OR (e.kind = 10
      AND (SELECT value FROM detail WHERE event = e.id AND name = 'severity') = 2)
    OR (e.kind = 17
      AND (SELECT value FROM detail WHERE event = e.id AND name = 'health') IN (4, 5)
      AND (SELECT value FROM detail WHERE event = e.id AND name = 'cause') <> 7)
    OR (e.kind = 21
      AND (SELECT value FROM detail WHERE event = e.id AND name = 'state') = 2)),
said AS MATERIALIZED (
  SELECT d.value AS alarm, max(d.event) AS id FROM event AS e
    JOIN detail AS d ON d.event = e.id AND d.name = 'alarm' WHERE e.kind = 22 GROUP BY d.value)
SELECT r.id >> 40 AS epoch, r.id & 1099511627775 AS sequence,
  strftime('%Y-%m-%d %H:%M:%f', r.wall_us / 1e6, 'unixepoch') AS time,
  CASE r.kind WHEN 17 THEN 'processor lost' WHEN 19 THEN 'seat vacant'
    WHEN 21 THEN 'subcluster down' ELSE 'failure' END AS alarm,
  r.subject, r.text,
  (SELECT CAST(value AS TEXT) FROM detail WHERE event = s.id AND name = 'who') AS acknowledged_by,
  (SELECT strftime('%Y-%m-%d %H:%M:%f', wall_us / 1e6, 'unixepoch') FROM event WHERE id = s.id)
    AS acknowledged,
  (SELECT strftime('%Y-%m-%d %H:%M:%f', value / 1e6, 'unixepoch') FROM detail
    WHERE event = s.id AND name = 'until_us') AS until,
  (SELECT CAST(value AS TEXT) FROM detail WHERE event = s.id AND name = 'comment') AS comment
FROM raised AS r LEFT JOIN said AS s ON s.alarm = r.id;

CREATE VIEW IF NOT EXISTS processors_health AS -- every processor of the system as it is now
WITH opened AS (SELECT max(id) AS id FROM event WHERE kind = 0),
layout AS (SELECT max(e.id) AS id FROM event AS e JOIN opened WHERE e.kind = 15 AND e.id > opened.id),
places AS (
  SELECT layout.id AS layout, substr(d.name, 11, length(d.name) - 13) AS place, d.value AS id
  FROM layout JOIN detail AS d ON d.event = layout.id AND d.name GLOB 'processor.*.id'),
about AS MATERIALIZED (
  SELECT e.id, e.kind, p.value AS processor FROM event AS e JOIN opened
    JOIN detail AS p ON p.event = e.id AND p.name = 'processor'
  WHERE e.kind IN (17, 23) AND e.id > opened.id),
moved AS (
  SELECT s.value AS seat, max(e.id) AS id FROM event AS e JOIN layout
    JOIN detail AS s ON s.event = e.id AND s.name = 'seat'
  WHERE e.kind IN (18, 19) AND e.id > layout.id GROUP BY s.value),
held AS MATERIALIZED (
  SELECT h.value AS processor, moved.seat FROM moved
    JOIN detail AS h ON h.event = moved.id AND h.name = 'holder'
  UNION ALL
  SELECT places.id, d.value FROM places
    JOIN detail AS d ON d.event = places.layout AND d.name = 'processor.' || places.place || '.seat'
  WHERE d.value NOT IN (SELECT seat FROM moved)),
latest AS (
  SELECT places.*,
    (SELECT max(id) FROM about WHERE kind = 17 AND processor = places.id) AS health,
    (SELECT max(id) FROM about WHERE kind = 23 AND processor = places.id) AS drain
  FROM places)
SELECT l.id AS processor,
  (SELECT CAST(value AS TEXT) FROM detail
    WHERE event = l.layout AND name = 'processor.' || l.place || '.host') AS host,
  (SELECT value FROM detail
    WHERE event = l.layout AND name = 'processor.' || l.place || '.pid') AS pid,
  (SELECT CAST(n.value AS TEXT) FROM detail AS n JOIN detail AS c
    ON c.event = l.layout AND c.name = 'processor.' || l.place || '.subcluster'
    WHERE n.event = l.layout AND n.name = 'subcluster.' || c.value || '.name') AS subcluster,
  (SELECT CAST(n.value AS TEXT) FROM detail AS n JOIN detail AS c
    ON c.event = l.layout AND c.name = 'processor.' || l.place || '.unit'
    WHERE n.event = l.layout AND n.name = 'unit.' || c.value || '.name') AS unit,
  (SELECT CASE value WHEN 0 THEN 'dedicated master' WHEN 1 THEN 'I/O' WHEN 2 THEN 'active'
      ELSE 'standby' END FROM detail
    WHERE event = l.layout AND name = 'processor.' || l.place || '.kind') AS kind,
  (SELECT seat FROM held WHERE processor = l.id) AS seat,
  CASE ifnull((SELECT value FROM detail WHERE event = l.health AND name = 'health'), 0)
    WHEN 0 THEN 'expected' WHEN 1 THEN 'alive' WHEN 2 THEN 'suspect' WHEN 3 THEN 'condemned'
    WHEN 4 THEN 'lost' WHEN 5 THEN 'fenced' WHEN 6 THEN 'left' END AS health,
  CASE ifnull((SELECT value FROM detail WHERE event = l.health AND name = 'cause'), 0)
    WHEN 0 THEN 'none' WHEN 1 THEN 'late' WHEN 2 THEN 'silent' WHEN 3 THEN 'stopped'
    WHEN 4 THEN 'gone' WHEN 5 THEN 'stuck' WHEN 6 THEN 'missing' WHEN 7 THEN 'ordered' END AS cause,
  ifnull((SELECT value FROM detail WHERE event = l.drain AND name = 'drained'), 0) AS drained
FROM latest AS l;
)sql";

} // namespace tasuki
