import { type Address, isAddressEqual, type SignedAuthorization } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { type Failure, failure } from '../result.ts'
import { type DelegatedDeployment, delegatedDeployment } from './deployment.ts'

export type VerifyAuthorizationResult =
  | { readonly ok: true }
  | Failure<'OTHER_CHAIN' | 'OTHER_DELEGATE' | 'NOT_SIGNED_BY_ACCOUNT'>

/** Half the order of secp256k1: EIP-7702 skips an authorisation with a greater s (EIP-2). */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Whether a signed authorisation delegates `eoa` to this service's delegate on exactly this chain, once the EOA's nonce
 * is the authorisation's. One for all chains (chain id 0) is refused: it could be used where the EOA's owner did not
 * mean it.
 */
export async function verifyAuthorization(
  authorization: SignedAuthorization,
  { eoa, chainId }: { readonly eoa: Address; readonly chainId: number },
  { delegate }: Pick<DelegatedDeployment, 'delegate'> = delegatedDeployment,
): Promise<VerifyAuthorizationResult> {
  if (authorization.chainId === 0)
    return failure('OTHER_CHAIN', `The authorisation is for all chains. Sign one for chain ${chainId}.`)
  if (authorization.chainId !== chainId) {
    const message = `The authorisation is for chain ${authorization.chainId}. Sign one for chain ${chainId}.`
    return failure('OTHER_CHAIN', message)
  }
  if (!isAddressEqual(authorization.address, delegate)) {
    const message = `The authorisation delegates to ${authorization.address}. Sign one for ${delegate}.`
    return failure('OTHER_DELEGATE', message)
  }
  const signer = await recoverSigner(authorization)
  if (signer !== undefined && isAddressEqual(signer, eoa)) return { ok: true }
  return failure('NOT_SIGNED_BY_ACCOUNT', `The authorisation is not signed by ${eoa}.`)
}

async function recoverSigner(authorization: SignedAuthorization): Promise<Address | undefined> {
  if (BigInt(authorization.s) > maxS) return undefined
  try {
    return await recoverAuthorizationAddress({ authorization })
  } catch {
    return undefined // viem throws on numbers that are no signature
  }
}
