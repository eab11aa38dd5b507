"""Lua scripts of `rate_limits`. Each runs atomically in Redis and reads its clock."""

# The newest `most` passes of the last span, newest first. If the entry that this request would push out is within
# the span, the request must wait until it is older. This is exact at every moment, unlike a counter per minute.
# Entries in the future were written before the clock was set back; they are deleted, as they would block for hours.
COUNT = """
local most, amount, span = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local newest = redis.call("LINDEX", KEYS[1], 0)
if newest and newest - now > 1 then
  redis.call("DEL", KEYS[1])
end
local pushed_out = redis.call("LINDEX", KEYS[1], most - amount)
if pushed_out and now - pushed_out < span then
  return math.max(1, math.ceil(span - (now - pushed_out)))
end
for _ = 1, amount do
  redis.call("LPUSH", KEYS[1], string.format("%.6f", now))
end
redis.call("LTRIM", KEYS[1], 0, most - 1)
redis.call("EXPIRE", KEYS[1], span)
return 0
"""

# Number of passes in the last span, and the seconds until the oldest of them expires.
READ_PASSES = """
local span = tonumber(ARGV[1])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local passes, counted, seconds = redis.call("LRANGE", KEYS[1], 0, -1), 0, 0
for _, at in ipairs(passes) do
  if now - at >= span or at - now > 1 then break end
  counted, seconds = counted + 1, math.ceil(span - (now - at))
end
return {counted, seconds}
"""

# Seconds until the client's next turn; each request pushes the next turn back by its share. A value written in the
# future dates from before the clock was set back and is ignored. The second key holds what the client's network has
# used of its amounts; each drains by its maximum a day. A request is refused by the first amount that it would exceed.
TAKE_TURN = """
local share, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call("TIME")
local now = clock[1] + clock[2] / 1000000
local next, told = unpack(redis.call("HMGET", KEYS[1], "next", "told"))
local ahead = 0
if next and told and told - now <= 1 then
  ahead = math.max(0, next - now)
end
if ahead > most then
  return {0, math.ceil(ahead - most)}
end
local used = redis.call("HMGET", KEYS[2], "bytes", "seconds", "at")
local elapsed = used[3] and math.max(0, now - used[3]) or 0
for place = 1, 2 do
  local amount, limit = tonumber(ARGV[2 * place + 1]), tonumber(ARGV[2 * place + 2])
  used[place] = math.max(0, (used[place] or 0) - elapsed * limit / 86400) + amount
  if amount > 0 and used[place] > limit then
    return {0, math.ceil((used[place] - limit) / limit * 86400), place}
  end
end
redis.call("HSET", KEYS[2], "bytes", used[1], "seconds", used[2], "at", string.format("%.6f", now))
redis.call("EXPIRE", KEYS[2], 86400)
redis.call("HSET", KEYS[1], "next", string.format("%.6f", now + ahead + share), "told", string.format("%.6f", now))
redis.call("EXPIRE", KEYS[1], math.ceil(ahead + share) + 1)
return {1, string.format("%.6f", ahead)}
"""
