import { encodeAddOwner } from '@lanyard/accounts'
import type { Engine } from '@lanyard/database'
import { usualEngine } from '@lanyard/database/testing'
import { canonicalAddresses } from '@lanyard/devnet'
import { decodeOrderMarker, encodeRequestExit } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, bytesToHex, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { payee } from '../orders/order-chains.ts'
import { sign } from '../orders/order-service.ts'
import { Authenticator } from '../passkeys/authenticator.ts'
import { writePolicies } from '../policies-file.ts'
import {
  ecdsaKey,
  fees,
  payment,
  startSessionService,
  webCryptoKey,
} from '../session-keys/session-service.ts'
import type { KnownValues } from './placeholders.ts'

export const origin = 'http://localhost:3000'

/** The networks of the fixture. The wallet is deployed only on the first. */
export const networks = [31337, 31338] as const

const highLimit = '1000000'

/** The rate limits are on, but too high to be reached. */
const environment = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_CALLS: highLimit,
  RATE_LIMIT_READS: highLimit,
  RATE_LIMIT_HEALTH: highLimit,
  RATE_LIMIT_BUILDS: highLimit,
  RATE_LIMIT_CEREMONIES: highLimit,
  POLICIES_FILE: writePolicies({
    id: 'ample',
    budgets: {
      day: { wei: String(parseEther('1000')) },
      account: { day: { wei: String(parseEther('100')) } },
    },
  }),
}

type Service = Awaited<ReturnType<typeof startSessionService>>

function assertOk<T extends { status: number; body: unknown }>(answer: T): T {
  if (answer.status === 200) return answer
  throw new Error(`The fixture could not be created: ${JSON.stringify(answer.body)}`)
}

/** Creates a signed-in user with a passkey and ether on the first network. */
async function createPasskeyUser({ rest, on }: Service, username: string) {
  const query = `username=${encodeURIComponent(username)}`
  const passkey = new Authenticator(origin)
  const options = await rest.get(`/v3/webauthn/register/generate-options?${query}`)
  const { body } = assertOk(
    await rest.post(`/v3/webauthn/register/verify?${query}`, passkey.create(options.body)),
  )
  const address: Address = body.wallet.scw_address
  await on(networks[0]).chain.setBalance({ address, value: parseEther('10') })
  const token: string = body.token
  return { username, passkey, address, token }
}

/** Creates an EOA wallet with ether, tokens, a deposit and a session. It is deployed only on the first network. */
async function createWallet(service: Service) {
  const wallet = await service.createFunded(networks)
  for (const chainId of networks) {
    await service.on(chainId).chain.setBalance({ address: wallet.address, value: parseEther('10') })
    await service.mint(chainId, wallet.address, 100_000_000n)
  }
  const session = ecdsaKey()
  const token = service.on(networks[0]).settlementToken.address
  const plan = await service.enable(wallet, networks[0], session, [
    { type: 'native-token-allowance', allowance: '1000000' },
    { type: 'erc20-token-allowance', token, allowance: '1000000' },
    fees,
  ])
  const granted = assertOk(await service.approve(wallet, assertOk(plan)))
  return { ...wallet, session, grantHash: granted.body.userOpHash as Hex } // the answer of submit
}

/**
 * Starts the service with users, wallets, an order and operations that a fuzzer can refer to.
 *
 * @param more - variables of the environment
 */
export async function startFixture(more: Record<string, string> = {}, engine: Engine = usualEngine()) {
  await using started = new AsyncDisposableStack()
  const service = started.use(
    await startSessionService({ engine, chainIds: networks, environment: { ...environment, ...more } }),
  )
  const { rest, on } = service
  const wallet = await createWallet(service)
  const bystander = await service.createWallet()
  const user = await createPasskeyUser(service, 'user-of-a-passkey')
  const point = await webCryptoKey()
  const thirdParty = privateKeyToAccount(randomPrivateKey())

  const walletName = assertOk(await rest.post('/smart-account/create', { eoaAddress: wallet.owner.address }))
  const solution = assertOk(
    await service.solve({ walletAddress: wallet.address, outputNetwork: networks[1], amount: '1000000' }),
  )
  const pending = assertOk(
    await service.build({
      network: String(networks[0]),
      walletAddress: wallet.address,
      transactionDetails: [payment(1n)],
    }),
  )
  const pendingSignature = await sign.raw(wallet.owner, pending.body.messageToSign)
  const pendingHash: Hex = assertOk(await operationHash(service, pending.body.messageToSign)).body
  const login = assertOk(
    await rest.post('/login/message', { walletAddress: wallet.address, eoaAddress: wallet.owner.address }),
  )
  const { settlementToken, smartBalance, sessionKeys } = on(networks[0])
  const now = await service.now(networks[0])
  const { withdrawal, claim } = solution.body.transactions

  const bare = (address: string) => address.slice(2).toLowerCase()

  const known: KnownValues = {
    wallet: wallet.address,
    walletOwner: wallet.owner.address,
    walletName: walletName.body.username,
    emptyWallet: bystander.address,
    username: user.username,
    passkeyWallet: user.address,
    credentialId: user.passkey.id,
    token: settlementToken.address,
    userToken: user.token,
    thirdParty: thirdParty.address,
    newcomer: privateKeyToAccount(randomPrivateKey()).address,
    sharedSigner: canonicalAddresses.safeWebAuthnSharedSigner,
    pendingHash,
    pendingUserOp: pending.body.userOp,
    pendingMessage: pending.body.messageToSign,
    pendingSignature,
    compactSignature: `${pendingSignature.slice(0, 130)}`,
    foreignSignature: await thirdParty.signMessage({ message: { raw: pending.body.messageToSign } }),
    includedHash: wallet.grantHash,
    loginMessage: login.body.message,
    loginSignature: await wallet.owner.signMessage({ message: login.body.message }),
    sessionKey: wallet.session.sessionKey,
    sessionPoint: { x: `0x${point.sessionKey.slice(4, 68)}`, y: `0x${point.sessionKey.slice(68)}` },
    sessionPointText: point.sessionKey,
    orderId: decodeOrderMarker(solution.body.signatures.paymaster)?.orderId,
    orderMarker: solution.body.signatures.paymaster,
    withdrawData: withdrawal.encodedData,
    claimData: claim.encodedData,
    smartBalance,
    sessionKeys,
    entryPoint: canonicalAddresses.entryPoint,
    safeModule: canonicalAddresses.safe4337Module,
    multiSend: canonicalAddresses.multiSend,
    precompile: '0x0000000000000000000000000000000000000100',
    payee,
    /** Addresses without the prefix, for call data. */
    walletBare: bare(wallet.address),
    tokenBare: bare(settlementToken.address),
    payeeBare: bare(payee),
    thirdPartyBare: bare(thirdParty.address),
    transferData: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, 1n] }),
    approveData: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [payee, 1n] }),
    addOwnerData: encodeAddOwner({ account: wallet.address, owner: thirdParty.address }).data,
    exitData: encodeRequestExit(smartBalance, 1n).data,
    now,
    soon: now + 3600,
    nowText: new Date(now * 1000).toISOString(),
    randomBytes: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  }
  const running = started.move()
  return {
    service,
    url: service.service.url,
    logged: service.logged,
    database: service.database.db,
    on,
    wallet,
    bystander,
    user,
    known,
    /** Internal texts that no answer may contain. */
    internals: networks.map((chainId) => new URL(on(chainId).rpcUrl).host),
    /** Hashes of the signed operations. */
    signed: new Set<string>([wallet.grantHash.toLowerCase(), pendingHash.toLowerCase()]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Reads the operation hash from the row, because the answer of build does not contain it. */
async function operationHash({ database }: Service, messageToSign: string) {
  const row = await database.db
    .selectFrom('operations')
    .select('user_op_hash')
    .where('safe_op_hash', '=', messageToSign)
    .executeTakeFirst()
  return { status: row ? 200 : 404, body: (row?.user_op_hash ?? '0x') as Hex } // the column holds hex
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>
