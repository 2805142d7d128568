import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { decodeOrderMarker } from '@lanyard/smart-balance'
import { type Address, type Hex, isAddressEqual, size, slice } from 'viem'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { Payer } from '../operations/payer.ts'
import type { BuildTarget } from '../smart-balance/orders/build-target.ts'
import { findPayer } from '../smart-balance/orders/find-payer.ts'
import { findOrderSigners } from '../smart-balance/quotes/order-signer.ts'
import { sessionRefused } from './session-refused.ts'
import type { SessionSigner } from './session-signer.ts'

interface SessionPayerRequest extends BuildTarget {
  readonly signer: SessionSigner
  readonly paymasterData: 'sponsored' | Hex
  readonly calls: readonly Call[]
}

/**
 * Who pays for a session's operation: the account, or the one paymaster that the session names. Orders of the smart
 * balance need an owner's signature.
 *
 * @throws SESSION_REFUSED, OtherPaymaster; ORDER_MISMATCH; and what `findPayer` throws
 */
export async function findSessionPayer(
  context: RequestContext,
  { wallet, network, signer, paymasterData, calls }: SessionPayerRequest,
): Promise<Payer> {
  if (paymasterData !== 'sponsored' && decodeOrderMarker(paymasterData)) {
    throw new LanyardError('ORDER_MISMATCH', { message: 'A session cannot spend the smart balance.' })
  }
  const paymaster = paymasterOf(paymasterData, network.config.smartBalance)
  if (paymaster !== undefined && !isAddressEqual(paymaster, signer.session.paymaster)) {
    throw sessionRefused({
      rule: 'OtherPaymaster',
      message: `The session does not allow the paymaster ${paymaster}.`,
    })
  }
  const { payer } = await findPayer(context, {
    wallet,
    network,
    paymasterData,
    calls,
    signers: async () => {
      const [first, ...others] = await findOrderSigners(context.services.database, network, wallet)
      if (!first) throw new LanyardError('PAYMASTER_REFUSED')
      return [{ key: first }, ...others.map((key) => ({ key }))]
    },
  })
  return payer
}

/** Undefined when the account pays, or when nobody could sponsor, which `findPayer` says better. */
function paymasterOf(
  paymasterData: 'sponsored' | Hex,
  smartBalance: Address | undefined,
): Address | undefined {
  if (paymasterData === 'sponsored') return smartBalance
  return size(paymasterData) < 20 ? undefined : slice(paymasterData, 0, 20)
}
