-- report.lua – record that a user's client is active or idle now.
-- KEYS 1 clients by user (hash of JSON: client → {status, seconds})  2 users, scored by when they were last seen
-- ARGV 1 user  2 client  3 status  4 seconds a report is kept  5 seconds until it is stale  6 maximum clients per user
-- Returns {1 to publish an event or 0, status, seconds}. Of concurrent reports, only one gets the 1.
local now = tonumber(redis.call('TIME')[1])
local clients = cjson.decode(redis.call('HGET', KEYS[1], ARGV[1]) or '{}')
local keep = tonumber(ARGV[4])
local kept = clients[ARGV[2]]
local stale = kept and now - kept[2] > tonumber(ARGV[5])
local idle = kept and kept[1] == 'idle'
local heard = not kept or (ARGV[3] == 'active' and (stale or idle))
-- One of several windows may be idle; that alone does not make an active user idle.
if not kept or stale or idle or kept[1] == ARGV[3] then
  clients[ARGV[2]] = {ARGV[3], now}
end
local count, oldest = 0, nil
for name, report in pairs(clients) do
  if now - report[2] > keep then
    clients[name] = nil
  else
    count = count + 1
    if name ~= ARGV[2] and (not oldest or report[2] < clients[oldest][2]) then oldest = name end
  end
end
if count > tonumber(ARGV[6]) and oldest then clients[oldest] = nil end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(clients))
redis.call('ZADD', KEYS[2], now, ARGV[1])
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - keep, 'LIMIT', 0, 100)) do
  redis.call('HDEL', KEYS[1], gone)
  redis.call('ZREM', KEYS[2], gone)
end
redis.call('EXPIRE', KEYS[1], keep)
redis.call('EXPIRE', KEYS[2], keep)
return {heard and 1 or 0, clients[ARGV[2]][1], clients[ARGV[2]][2]}
