"""What Redis is asked to do in one moment: the scripts of `RedisStore`, and where it keeps things.

Keys are spread over partitions; all keys of one table lie in one partition, and a script touches only one.
In a partition, whose name stands in braces so that a cluster would keep it together:

    d:KEY  a hash: version, body, life, end, mark alarms  a sorted set: key by when it is due
    n:KEY  a stream: notes by version             ends    a sorted set: key by when its lifetime is over
    c:KEY  a hash: card by shelf                  s:SHELF a set: keys with a card there
                                                  b:KEY   a channel: the key's bell

What rings is `LIFE VERSION none`, `LIFE VERSION end`, or `LIFE VERSION note LENGTH` with a note of so many bytes
and the document behind it: whoever hears it need not read what was just written.

A mark is kept with the version it belongs to: a server that knows of none leaves an older one, which says nothing.

A script checks everything first and writes last, because it is not undone if it fails half way.
Times are seconds as text: Lua counts in the same numbers as Python. An empty end is never, and where the
time is empty Redis looks at its own clock.
"""

from hashlib import sha1
from typing import Final, NamedTuple
from zlib import crc32

FORMAT: Final = 1
FORMAT_KEY: Final = "dormie:format"
PARTITIONS: Final = 16
LONGER: Final = 86400.0
"""Redis itself forgets what is over so many seconds later; until then the scripts know that it is over."""
SHELF_LIVES: Final = 400 * 86400.0
"""A shelf outlives what lies on it by so much; every sixteenth put of a key makes sure again."""
LARGEST_READ: Final = 64
LARGEST_ROUND: Final = 100


class Script(NamedTuple):
    """A script, and the name by which Redis knows it once it was loaded."""

    text: str
    name: str


def home_of(key: str) -> str:
    """How the names of all that Redis keeps of a key begin.

    >>> home_of("table:7"), home_of("table:8")
    ('dormie:{2}:', 'dormie:{3}:')
    """
    return f"dormie:{{{crc32(key.encode()) % PARTITIONS}}}:"


HOMES: Final = tuple(f"dormie:{{{number}}}:" for number in range(PARTITIONS))


def _script(text: str) -> Script:
    whole = (_COMMON + text).strip()
    return Script(whole, sha1(whole.encode(), usedforsecurity=False).hexdigest())


_COMMON = """
local call = redis.call
local function forget(home, key)
  local doc = call('HMGET', home .. 'd:' .. key, 'version', 'life')
  for _, shelf in ipairs(call('HKEYS', home .. 'c:' .. key)) do
    call('SREM', home .. 's:' .. shelf, key)
  end
  call('DEL', home .. 'd:' .. key, home .. 'n:' .. key, home .. 'c:' .. key)
  call('ZREM', home .. 'alarms', key)
  call('ZREM', home .. 'ends', key)
  if doc[1] then
    call('PUBLISH', home .. 'b:' .. key, doc[2] .. ' ' .. doc[1] .. ' end ')
  end
end
local function clock(told)
  if told ~= '' then
    return tonumber(told)
  end
  local time = call('TIME')
  return tonumber(time[1]) + tonumber(time[2]) / 1000000
end
local function over(finish, now)
  return finish ~= '' and tonumber(finish) <= now
end
local function outlive(name, count, milliseconds)
  local left = call('PTTL', name)
  if not milliseconds then
    call('PERSIST', name)
  elseif left >= 0 and left < milliseconds or left == -1 and call(count, name) == 1 then
    call('PEXPIRE', name, milliseconds)
  end
end
local function lay(home, key, first, milliseconds)
  for at = first, #ARGV, 3 do
    local shelf = home .. 's:' .. ARGV[at]
    if ARGV[at + 1] == '1' then
      call('HSET', home .. 'c:' .. key, ARGV[at], ARGV[at + 2])
      call('SADD', shelf, key)
      outlive(shelf, 'SCARD', milliseconds)
    else
      call('HDEL', home .. 'c:' .. key, ARGV[at])
      call('SREM', shelf, key)
    end
  end
end
"""

PUT = _script("""
local home, key, now, was = KEYS[1], ARGV[1], clock(ARGV[2]), ARGV[3]
local name = home .. 'd:' .. key
local doc = call('HMGET', name, 'version', 'end', 'life', 'mark')
local version, ended = doc[1] or '0', false
if doc[1] and over(doc[2], now) then
  version, ended = '0', true
end
if version ~= was then
  return false
end
local mark, of = doc[4] or '', was .. ' '
if ARGV[14] ~= '' and string.sub(mark, 1, #of) == of and mark ~= of .. ARGV[13] then
  return false
end
if ended then
  forget(home, key)
end
local body, finish, milliseconds, alarm = ARGV[4], '', nil, ARGV[7]
if ARGV[5] ~= '' then
  finish, milliseconds = string.format('%.6f', now + tonumber(ARGV[5])), tonumber(ARGV[6])
end
local life = ARGV[8]
if version ~= '0' then
  life = doc[3]
end
local after = string.format('%d', tonumber(was) + 1)
if ARGV[9] == '1' then
  call('XADD', home .. 'n:' .. key, after .. '-0', 'n', ARGV[10])
end
mark = after .. ' ' .. ARGV[14]
call('HSET', name, 'version', after, 'body', body, 'end', finish, 'life', life, 'mark', mark)
if alarm == '' then
  call('ZREM', home .. 'alarms', key)
else
  call('ZADD', home .. 'alarms', alarm, key)
  outlive(home .. 'alarms', 'ZCARD', milliseconds)
end
local on_shelf = milliseconds and milliseconds + tonumber(ARGV[11])
if #ARGV > 14 then
  lay(home, key, 15, on_shelf)
end
if tonumber(after) % 16 == 0 then
  for _, shelf in ipairs(call('HKEYS', home .. 'c:' .. key)) do
    outlive(home .. 's:' .. shelf, 'SCARD', on_shelf)
  end
end
for _, one in ipairs({name, home .. 'n:' .. key, home .. 'c:' .. key}) do
  if milliseconds then
    call('PEXPIRE', one, milliseconds)
  else
    call('PERSIST', one)
  end
end
if milliseconds then
  call('ZADD', home .. 'ends', finish, key)
  outlive(home .. 'ends', 'ZCARD', milliseconds)
else
  call('ZREM', home .. 'ends', key)
end
local channel = home .. 'b:' .. key
if call('PUBSUB', 'NUMSUB', channel)[2] > tonumber(ARGV[12]) then
  local kind = 'none '
  if ARGV[9] == '1' then
    kind = 'note ' .. #ARGV[10] .. ' ' .. ARGV[10] .. body
  end
  call('PUBLISH', channel, life .. ' ' .. after .. ' ' .. kind)
end
return life
""")

GET = _script("""
local home, key, now = KEYS[1], ARGV[1], clock(ARGV[2])
local doc = call('HMGET', home .. 'd:' .. key, 'version', 'end', 'body')
if not doc[1] or over(doc[2], now) then
  return false
end
return {doc[1], doc[3]}
""")

READ = _script("""
local home, key, now, after, most = KEYS[1], ARGV[1], clock(ARGV[2]), ARGV[3], ARGV[4]
local doc = call('HMGET', home .. 'd:' .. key, 'version', 'end', 'life')
if not doc[1] or over(doc[2], now) then
  return false
end
local notes = {}
if tonumber(doc[1]) > tonumber(after) then
  notes = call('XRANGE', home .. 'n:' .. key, '(' .. after .. '-0', '+', 'COUNT', most)
end
return {doc[3], doc[1], notes}
""")

REWRITE = _script("""
local home, key, now, count = KEYS[1], ARGV[1], clock(ARGV[2]), tonumber(ARGV[3])
local doc = call('HMGET', home .. 'd:' .. key, 'version', 'end')
if not doc[1] or over(doc[2], now) then
  return false
end
local name, others, stream = home .. 'd:' .. key, {}, home .. 'n:' .. key
for at = 5, 4 + 2 * count, 2 do
  others[ARGV[at] .. '-0'] = ARGV[at + 1]
end
local left = call('PTTL', name)
if count > 0 then
  local notes = call('XRANGE', stream, '-', '+')
  call('DEL', stream)
  for _, note in ipairs(notes) do
    call('XADD', stream, note[1], 'n', others[note[1]] or note[2][2])
  end
end
local lives = nil
if left > 0 then
  lives = left + tonumber(ARGV[4])
end
lay(home, key, 5 + 2 * count, lives)
if left > 0 then
  call('PEXPIRE', stream, left)
  call('PEXPIRE', home .. 'c:' .. key, left)
end
return true
""")

DROP = _script("""
forget(KEYS[1], ARGV[1])
return true
""")

DUE = _script("""
local home, now, hold, most = KEYS[1], clock(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local again, by = string.format('%.6f', now + hold), string.format('%.6f', now)
for _, key in ipairs(call('ZRANGEBYSCORE', home .. 'ends', '-inf', by, 'LIMIT', 0, most)) do
  forget(home, key)
end
local found = call('ZRANGEBYSCORE', home .. 'alarms', '-inf', by, 'WITHSCORES', 'LIMIT', 0, most)
local answer = {}
for at = 1, #found, 2 do
  local finish = call('HGET', home .. 'd:' .. found[at], 'end')
  if finish and not over(finish, now) then
    call('ZADD', home .. 'alarms', again, found[at])
    answer[#answer + 1] = found[at]
    answer[#answer + 1] = found[at + 1]
  elseif not finish then
    call('ZREM', home .. 'alarms', found[at])
  end
end
return answer
""")

ON = _script("""
local home, shelf, now = KEYS[1], ARGV[1], clock(ARGV[2])
local answer = {}
for _, key in ipairs(call('SMEMBERS', home .. 's:' .. shelf)) do
  local finish = call('HGET', home .. 'd:' .. key, 'end')
  local card = finish and call('HGET', home .. 'c:' .. key, shelf)
  if not card then
    call('SREM', home .. 's:' .. shelf, key)
  elseif not over(finish, now) then
    answer[#answer + 1] = key
    answer[#answer + 1] = card
  end
end
return answer
""")

ALL: Final = (PUT, GET, READ, REWRITE, DROP, DUE, ON)
