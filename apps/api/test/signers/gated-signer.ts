import { devRoles } from '@lanyard/devnet'
import { type FakeSigner, startFakeSigner } from '@lanyard/signers/fake-signer'
import type { Hex } from 'viem'

/** One request for a signature that waits. */
interface HeldRequest {
  readonly data: Hex
  readonly letGo: () => void
}

/** The operator's signer, as slow as a test wants it. */
export interface GatedSigner extends FakeSigner {
  /** From now on each request waits until it is let go, or each of some. */
  hold(which?: (request: { readonly publicKey: Hex; readonly data: Hex }) => boolean): void
  /** Requests that wait, in their order; resolves when there are so many. */
  held(count: number): Promise<readonly HeldRequest[]>
  /** No request waits any more. */
  open(): void
  /** How many were answered. */
  readonly signed: () => number
}

/** A fake signer with the operator's key of local networks, which nobody but it uses in these tests. */
export async function startGatedSigner(
  keys: readonly Hex[] = [devRoles.operator.privateKey],
): Promise<GatedSigner> {
  let isHeld = (_request: { readonly publicKey: Hex; readonly data: Hex }) => false
  let signed = 0
  const waiting: HeldRequest[] = []
  const watchers = new Set<() => void>()
  const fakeSigner = await startFakeSigner({
    keys,
    async beforeSigning(request) {
      const { data } = request
      if (isHeld(request)) {
        await new Promise<void>((letGo) => {
          waiting.push({ data, letGo })
          for (const look of watchers) look()
        })
      }
      signed++
    },
  })
  return {
    ...fakeSigner,
    hold(which = () => true) {
      isHeld = which
    },
    async held(count) {
      await new Promise<void>((resolve) => {
        const look = () => {
          if (waiting.length >= count) resolve()
        }
        watchers.add(look)
        look()
      })
      return [...waiting]
    },
    open() {
      isHeld = () => false
      for (const { letGo } of waiting.splice(0)) letGo()
    },
    signed: () => signed,
  }
}

/** The operator's key is at this signer. */
export const remoteOperator = ({ url }: Pick<FakeSigner, 'url'>, SIGNER_TIMEOUT = '20') => ({
  SIGNER_URL: url,
  SIGNER_TIMEOUT,
  OPERATOR_PRIVATE_KEY: `remote:${devRoles.operator.address}`,
})
