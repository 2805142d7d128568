import type { Answer } from './fake-service.ts'

/* What a service answers about an account with something of everything. Tests and the gallery show it. */

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const friend = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDC', decimals: 6 }
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const hash = (digit: string) => `0x${digit.repeat(64)}`
const zero = `0x${'0'.repeat(40)}`

const network = (id: number, name: string) => ({
  network: id,
  name,
  nativeCurrency,
  entryPoint: zero,
  accountKinds: ['safe'],
  smartBalance: null,
  sessionKeys: null,
  settlementToken: token,
  explorerUrl: 'https://explorer.example',
})

/** `transfer(address,uint256)` of 12.5 USDC. */
const transferData = `0xa9059cbb${'0'.repeat(24)}${friend.slice(2).toLowerCase()}${(12_500_000).toString(16).padStart(64, '0')}`
const operation = (digit: string, more: object) => ({
  userOpHash: hash(digit),
  network: '31337',
  state: 'included',
  final: true,
  success: true,
  txnHash: hash(digit),
  signedAt: `2026-11-2${digit}T09:41:00.000Z`,
  gasCost: '21000000000000',
  sender: friend,
  calls: [{ encodedData: transferData, targetContractAddress: token.address, value: '0' }],
  ...more,
})

const guardian = (name: string, at: string, problem?: string) => ({
  guardian: at,
  kind: 'passkey',
  username: name,
  networks: [
    { network: 31_337, status: 'up' },
    { network: 31_338, status: 'up', ...(problem && { problem }) },
  ],
})

export const canned: Record<string, Answer> = {
  '/brand': () => ({ name: 'Harbour Books', logo: null }),
  '/networks': () => ({ networks: [network(31_337, 'Local 1'), network(31_338, 'Local 2')] }),
  '/api/user/check-username': () => ({ value: false, message: 'This username does not exist.' }),
  '/wallet/balances': () => ({
    balances: [
      {
        network: '31337',
        available: true,
        deployed: true,
        native: '1234567000000000000',
        tokens: [{ ...token, balance: '143740000' }],
      },
    ],
  }),
  '/wallet/activity': () => ({
    activity: [
      operation('8', {}),
      operation('7', { success: false }),
      operation('6', {
        paymaster: zero,
        calls: [{ encodedData: '0x12345678', targetContractAddress: friend, value: '0' }],
      }),
      operation('5', { state: 'submitted', success: undefined, txnHash: undefined, gasCost: undefined }),
    ],
  }),
  '/wallet/transfers': () => ({
    networks: [
      {
        network: '31337',
        available: true,
        fromBlock: '0',
        unread: null,
        transfers: [
          {
            txnHash: hash('a'),
            blockNumber: '1',
            at: '2026-11-28T08:00:00.000Z',
            from: friend,
            token: null,
            amount: '250000000000000000',
            pending: false,
          },
        ],
      },
    ],
  }),
  '/smart-account/owner': () => ({
    networks: [
      {
        network: 31_337,
        status: 'up',
        deployed: true,
        owners: [
          { address, kind: 'passkey', label: 'This phone' },
          { address: friend, kind: 'eoa' },
        ],
      },
      {
        network: 31_338,
        status: 'up',
        deployed: true,
        owners: [{ address, kind: 'passkey', label: 'This phone' }],
      },
    ],
  }),
  '/smart-account/guardians': () => ({
    account: address,
    networks: [31_337, 31_338].map((id) => ({
      network: id,
      status: 'up',
      current: {
        hash: hash('1'),
        guardians: { members: [friend, token.address], threshold: 1, delay: 172_800 },
      },
    })),
    guardians: [guardian('mara', friend), guardian('tomas', token.address, 'NOT_THERE')],
  }),
}

/** Signs this browser in, as an earlier visit would have. */
export const signInAs = (username: string, service: string): void =>
  localStorage.setItem(
    `lanyard.react.accounts.${service}`,
    JSON.stringify({ current: username, accounts: { [username]: { username, address, proven: true } } }),
  )
