import { expect, test } from 'vitest'
import { parsePrivateRange } from './private-range.ts'

test.each(['10.0.0.0/8', '10.1.2.0/24', '172.16.0.0/12', '192.168.1.1/32', '100.64.0.0/10', 'fd00::/8'])(
  'default: %s',
  (text) => {
    const [network, prefix] = text.split('/')
    expect(parsePrivateRange(text)).toMatchObject({ network, prefix: Number(prefix) })
  },
)

test.each([
  ...[
    '0.0.0.0/0',
    '10.0.0.0/7',
    '8.8.8.0/24',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '169.254.169.254/32',
    '172.0.0.0/8',
  ],
  ...[
    '::/0',
    '::1/128',
    'fe80::/10',
    '2001:db8::/32',
    '::ffff:10.0.0.0/104',
    '10.0.0.0/33',
    '10.0.0.0',
    '10.1/16',
    '',
  ],
])('error: %s', (text) => {
  expect(parsePrivateRange(text)).toBeUndefined()
})
