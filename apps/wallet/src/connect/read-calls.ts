import { type Call, defaultDeployment } from '@lanyard/accounts'
import { type Address, isAddress, isAddressEqual, isHex } from 'viem'
import { t } from '../i18n/t.ts'
import type { Network } from '../networks/use-networks.ts'
import { Rejection } from './rejection.ts'

/** The maximum number of calls in an operation. */
const maxCalls = 64

/**
 * Reads the calls of `wallet_sendCalls` (EIP-5792, 2.0.0).
 *
 * @throws Refusal 5700, 5740, -32602
 */
export function readCalls(parameters: unknown): readonly Call[] {
  const { version, calls, capabilities } = Object(parameters)
  if (version !== '2.0.0') throw new Rejection('invalidParams', 'Expected version 2.0.0 of wallet_sendCalls.')
  if (!Array.isArray(calls) || calls.length === 0) throw new Rejection('invalidParams', 'There are no calls.')
  if (calls.length > maxCalls) throw new Rejection('bundleTooLarge', `At most ${maxCalls} calls.`)
  requireKnownCapabilities(capabilities)
  return calls.map((call): Call => {
    const { to, value = '0x0', data = '0x', capabilities } = Object(call)
    requireKnownCapabilities(capabilities)
    if (!isAddress(to, { strict: false }))
      throw new Rejection('invalidParams', 'Each call needs an address `to`.')
    if (!isHex(data) || data.length % 2 === 1) throw new Rejection('invalidParams', '`data` is not hex.')
    if (!/^0x[0-9a-fA-F]{1,64}$/.test(value))
      throw new Rejection('invalidParams', '`value` is not a hex number.')
    return { to, value: BigInt(value), data }
  })
}

/**
 * Rejects required capabilities that the wallet does not have. Every batch is atomic, and pages mark other
 * capabilities as optional.
 */
function requireKnownCapabilities(capabilities: unknown): void {
  for (const [name, value] of Object.entries(Object(capabilities)))
    if (name !== 'atomic' && Object(value).optional !== true)
      throw new Rejection('unsupportedCapability', `The wallet does not support the capability ${name}.`)
}

/**
 * Rejects calls to contracts that control the account: the account itself (owners, modules), its module, the
 * combined balance (exits, withdrawals, signers), the session keys, and the entry point (gas deposit and
 * nonces).
 *
 * @throws Refusal
 */
export function requireExternalCalls(calls: readonly Call[], account: Address, network: Network): void {
  const kept: readonly (readonly [Address | undefined, string])[] = [
    [account, t('This app asks for a call to your account itself. Only the wallet may do that.')],
    [
      defaultDeployment.module,
      t('This app asks for a call to your account’s module. Only the wallet may do that.'),
    ],
    [
      network.smartBalance?.address,
      t('This app asks for a call to your combined balance. Only the wallet may do that.'),
    ],
    [network.sessionKeys, t('This app asks for a call to your session keys. Only the wallet may do that.')],
    [
      defaultDeployment.entryPoint,
      t('This app asks for a call to the contract that keeps your gas deposit. Only the wallet may do that.'),
    ],
  ]
  for (const [address, message] of kept)
    if (address && calls.some(({ to }) => isAddressEqual(to, address)))
      throw new Rejection('invalidParams', message, {
        isShown: true,
      })
}
