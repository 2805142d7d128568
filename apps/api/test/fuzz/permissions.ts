import fc from 'fast-check'
import { anyHostile } from './hostile-values.ts'

const addresses = fc.constantFrom(
  '{{token}}',
  '{{payee}}',
  '{{thirdParty}}',
  '{{wallet}}',
  '{{smartBalance}}',
  '{{sessionKeys}}',
  '{{entryPoint}}',
  '{{safeModule}}',
  '{{multiSend}}',
  '{{sharedSigner}}',
  '{{precompile}}',
  `0x${'00'.repeat(20)}`,
)

const allowance = fc.constantFrom(
  '0',
  '1',
  '1000000',
  String(2n ** 128n - 1n),
  String(2n ** 128n),
  String(2n ** 256n),
  '007',
)
const period = fc.constantFrom(1, 60, 3_600, 2 ** 32 - 1, 2 ** 32, 2 ** 48, Number.MAX_SAFE_INTEGER)
const to = fc.array(addresses, { maxLength: 4 })

/** Function signatures, from valid ones to ones that break ABI parsers. */
const functions = fc.array(
  fc.oneof(
    fc.constantFrom(
      'transfer(address,uint256)',
      'approve(address,uint256)',
      'transfer(address, uint256)',
      'function transfer(address to, uint256 amount) returns (bool)',
      'transfer(address,uint)',
      'transfer(address,uint257)',
      'transfer(address,uint256',
      'transfer(address,uint256))',
      'transfer(address,,uint256)',
      'transfer()',
      '()',
      '(',
      '',
      ' ',
      'f((uint8,bytes)[3][],string)',
      'f(tuple(uint8 a))',
      'f(Foo)',
      `f(${'('.repeat(50)}uint8${')'.repeat(50)})`,
      `f(${'uint8,'.repeat(500)}uint8)`,
      `f(uint8${'[]'.repeat(300)})`,
      'constructor()',
      'fallback()',
      'receive() external payable',
      'event Transfer(address)',
      '0xa9059cbb',
      '0x095ea7b3',
      '0xA9059CBB',
      '0xa9059cb',
      '0xa9059cbb00',
      '0x00000000',
      '0x',
      'transf\u00e9r(address)',
      'transfer\u0000(address)',
    ),
    fc.string({ maxLength: 30 }),
  ),
  { maxLength: 4 },
)

const record = (model: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc.record(model, { requiredKeys: ['type', ...requiredKeys], noNullPrototype: true })

const permission: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 3,
    arbitrary: record({ type: fc.constant('native-token-allowance'), allowance, period, to }, ['allowance']),
  },
  {
    weight: 3,
    arbitrary: record(
      { type: fc.constant('erc20-token-allowance'), token: addresses, allowance, period, to },
      ['token', 'allowance'],
    ),
  },
  {
    weight: 4,
    arbitrary: record(
      { type: fc.constant('contract-call'), target: addresses, functions, maxValue: allowance },
      ['target', 'functions'],
    ),
  },
  {
    weight: 3,
    arbitrary: record(
      {
        type: fc.constant('gas-fee-allowance'),
        allowance,
        operations: fc.constantFrom(1, 100, 2 ** 16, 2 ** 48),
      },
      ['allowance'],
    ),
  },
  { weight: 1, arbitrary: anyHostile },
)

const times = fc.constantFrom<unknown>(
  '{{now}}',
  '{{soon}}',
  0,
  1,
  4_102_444_800,
  2 ** 48 - 1,
  2 ** 48,
  '{{now}}0',
  -1,
)

const gasFee = { type: 'gas-fee-allowance', allowance: '1000000000000000000', operations: 10 }

/** Requests for a session with valid, wrong, contradictory or too many permissions. */
export const grants: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record(
  {
    network: fc.constantFrom('31337', '31338'),
    walletAddress: fc.constantFrom('{{wallet}}', '{{emptyWallet}}', '{{passkeyWallet}}'),
    sessionKey: fc.oneof(
      fc.constantFrom<unknown>(
        '{{sessionKey}}',
        '{{newcomer}}',
        '{{sessionPoint}}',
        '{{sessionPointText}}',
        { x: '0', y: '0' },
        { x: '1', y: '1' },
      ),
      anyHostile,
    ),
    validAfter: fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>('{{now}}') }, times),
    validUntil: fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>('{{soon}}') }, times),
    permissions: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.array(permission, { minLength: 1, maxLength: 3 }).map((some) => [...some, gasFee]),
      },
      { weight: 2, arbitrary: fc.array(permission, { maxLength: 6 }) },
      { weight: 1, arbitrary: fc.array(permission, { minLength: 45, maxLength: 50 }) },
    ),
    paymaster: fc.constantFrom('sponsored', '{{smartBalance}}', '{{wallet}}', '{{thirdParty}}'),
    paymasterData: fc.constantFrom('0x', 'sponsored', '{{orderMarker}}'),
  },
  {
    requiredKeys: ['network', 'walletAddress', 'sessionKey', 'validAfter', 'validUntil', 'permissions'],
    noNullPrototype: true,
  },
)
