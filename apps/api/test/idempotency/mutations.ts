import { type Address, pad, stringToHex } from 'viem'
import { consentOf } from '../owner-consent.ts'
import { type PasskeyService, transfer } from '../passkeys/passkey-service.ts'
import { createWallet, nextName, nextOwner } from './wallets.ts'

interface Mutation {
  /** The name of its tRPC procedure. */
  readonly name: string
  /** A request that the service answers, and fields that make it a different request. */
  readonly request: (service: PasskeyService) => Promise<{ input: object; other: object; token?: string }>
  /** False if the request fails with a temporary error, so that a retry runs again. */
  readonly lasting?: false
}

const network = '31337'
const otherOwner = { eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }

const walletRequest = async (service: PasskeyService) => ({
  walletAddress: (await createWallet(service)).address,
  network,
})

/** Creates a wallet with tokens in its account and a final deposit. */
const createDepositor = async (service: PasskeyService) => {
  const { address } = await createWallet(service)
  await service.deposits.mint(31337, address, 10_000_000n)
  await service.deposits.deposit(31337, address, 10_000_000n)
  return { walletAddress: address }
}

/** Prepares a session that may pay one wei until the year 2100. */
const prepareSession = async (service: PasskeyService) => {
  const { owner, address: walletAddress } = await createWallet(service)
  const key = { walletAddress, network, sessionKey: nextOwner().address }
  const permissions = [
    { type: 'native-token-allowance', allowance: '1' },
    { type: 'gas-fee-allowance', allowance: '1000000000000000000' },
  ]
  return { owner, key, grant: { ...key, validAfter: 0, validUntil: 4_102_444_800, permissions } }
}

/** Grants such a session. */
const createGrantedSession = async (service: PasskeyService) => {
  const { owner, key, grant } = await prepareSession(service)
  const { body } = await service.post<{ messageToSign: `0x${string}` }>(
    '/smart-account/session-key/enable',
    grant,
  )
  const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
  const { walletAddress } = key
  await service.post('/smart-account/transaction/submit', { walletAddress, signature })
  return key
}

/** Every mutation that takes a key, with a request for it. */
export const mutations: readonly Mutation[] = [
  {
    name: 'smartAccount.create',
    request: async (service) => ({
      input: { eoaAddress: nextOwner().address },
      other: otherOwner,
      // Without credentials, a request for another account counts as another caller.
      token: (await service.register(nextName())).token,
    }),
  },
  ...['smartAccount.build', 'smartAccount.gasFees', 'smartAccount.sponsorship'].map((name) => ({
    name,
    request: async (service: PasskeyService) => ({
      input: { ...(await walletRequest(service)), transactionDetails: transfer('1') },
      other: { transactionDetails: transfer('2') },
    }),
  })),
  {
    name: 'smartAccount.submit',
    async request(service) {
      const { owner, address: walletAddress } = await createWallet(service)
      const { body } = await service.post<{ messageToSign: `0x${string}` }>(
        '/smart-account/transaction/build',
        { network, walletAddress, transactionDetails: transfer() },
      )
      const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
      return { input: { walletAddress, signature }, other: { signature: `0x${'11'.repeat(65)}` } }
    },
  },
  {
    name: 'owner.add',
    async request(service) {
      const { owner, address: walletAddress } = await createWallet(service)
      const added = nextOwner()
      const ownerSignature = await consentOf(added, walletAddress as Address)
      return {
        input: { walletAddress, ownerAddress: added.address, ownerSignature },
        other: { ownerAddress: owner.address, ownerSignature: undefined },
      }
    },
  },
  {
    name: 'owner.remove', // LAST_OWNER
    lasting: false,
    async request(service) {
      const { owner, address: walletAddress } = await createWallet(service)
      return {
        input: { walletAddress, ownerAddress: owner.address },
        other: { ownerAddress: nextOwner().address },
      }
    },
  },
  {
    name: 'ownership.submit', // NO_OWNERSHIP
    lasting: false,
    request: async (service) => ({
      input: {
        walletAddress: (await createWallet(service)).address,
        sequence: '0',
        kind: pad(stringToHex('cancel'), { dir: 'right' }),
        data: '0x',
        signature: `0x${'11'.repeat(65)}`,
      },
      other: { sequence: '1' },
    }),
  },
  {
    name: 'recovery.cancel', // NO_OWNERSHIP
    lasting: false,
    request: async (service) => ({
      input: {
        account: (await createWallet(service)).address,
        ...{ sequence: '1', number: '1', guardian: nextOwner().address },
        signature: `0x${'11'.repeat(65)}`,
      },
      other: { number: '2' },
    }),
  },
  {
    name: 'recovery.sign', // NO_OWNERSHIP
    lasting: false,
    request: async (service) => ({
      input: {
        account: (await createWallet(service)).address,
        sequence: '1',
        number: '1',
        newOwners: [{ address: nextOwner().address }],
        guardian: nextOwner().address,
        signature: `0x${'11'.repeat(65)}`,
      },
      other: { sequence: '2' },
    }),
  },
  {
    name: 'smartAccount.importSafe', // UNSUPPORTED_SAFE
    lasting: false,
    request: async () => ({ input: { walletAddress: nextOwner().address }, other: { consents: [] } }),
  },
  {
    name: 'guardian.prove', // NO_OWNERSHIP
    lasting: false,
    request: async (service) => ({
      input: {
        account: (await createWallet(service)).address,
        guardian: nextOwner().address,
        time: 1,
        signature: `0x${'11'.repeat(65)}`,
      },
      other: { time: 2 },
    }),
  },
  {
    name: 'recovery.execute', // NO_OWNERSHIP
    lasting: false,
    request: async (service) => ({
      input: { account: (await createWallet(service)).address, messageToSign: `0x${'11'.repeat(32)}` },
      other: { messageToSign: `0x${'22'.repeat(32)}` },
    }),
  },
  {
    name: 'wallet.faucet',
    request: async (service) => ({
      input: await walletRequest(service),
      other: { walletAddress: (await createWallet(service)).address },
      token: (await service.register(nextName())).token,
    }),
  },
  {
    name: 'webauthn.transactionOptions',
    async request(service) {
      const { username } = await service.register(nextName())
      return {
        input: { username, network, transactionDetails: transfer('1') },
        other: { transactionDetails: transfer('2') },
      }
    },
  },
  {
    name: 'webauthn.transactionVerify',
    async request(service) {
      const { username, passkey, token } = await service.register(nextName())
      const { body } = await service.transactionOptions({ username, network, transactionDetails: transfer() })
      return { input: { username, ...passkey.get(body) }, other: { username: nextName() }, token }
    },
  },
  {
    name: 'webauthn.credentialRemove', // UNKNOWN_CREDENTIAL
    lasting: false,
    async request(service) {
      const { token } = await service.register(nextName())
      return { input: { credentialId: 'AA' }, other: { credentialId: 'BB' }, token }
    },
  },
  {
    name: 'identity.unlink', // UNKNOWN_IDENTITY
    lasting: false,
    async request(service) {
      const { token } = await service.register(nextName())
      const idOf = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`
      return { input: { id: idOf(1) }, other: { id: idOf(2) }, token }
    },
  },
  ...['smartBalance.getQuote', 'smartBalance.computeSolution'].map((name) => ({
    name,
    request: async (service: PasskeyService) => ({
      input: { ...(await createDepositor(service)), outputNetwork: 31337, amount: '1000000' },
      other: { amount: '1000001' },
    }),
  })),
  {
    name: 'smartBalance.deposit',
    request: async (service) => ({
      input: { ...(await createDepositor(service)), network: 31337, amount: '1000000' },
      other: { amount: '1000001' },
    }),
  },
  {
    name: 'smartBalance.exit',
    request: async (service) => ({
      input: { ...(await createDepositor(service)), network: 31337, action: 'request', amount: '1000000' },
      other: { amount: '1000001' },
    }),
  },
  {
    name: 'sessionKey.enable',
    request: async (service) => ({
      input: (await prepareSession(service)).grant,
      other: { sessionKey: nextOwner().address },
    }),
  },
  {
    name: 'sessionKey.disable',
    request: async (service) => ({
      input: await createGrantedSession(service),
      other: { sessionKey: nextOwner().address },
    }),
  },
  {
    name: 'sessionKey.check',
    request: async (service) => ({
      input: { ...(await createGrantedSession(service)), transactionDetails: transfer('1') },
      other: { transactionDetails: transfer('2') },
    }),
  },
]
