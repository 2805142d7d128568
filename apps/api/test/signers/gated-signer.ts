import { devRoles } from '@lanyard/devnet'
import { type FakeSigner, startFakeSigner } from '@lanyard/signers/fake-signer'
import type { Hex } from 'viem'

/** A signing request that waits. */
interface HeldRequest {
  readonly data: Hex
  readonly release: () => void
}

/** A fake signer for the operator whose answers a test can delay. */
export interface GatedSigner extends FakeSigner {
  /** Holds each matching request from now on; default: all requests. */
  hold(which?: (request: { readonly publicKey: Hex; readonly data: Hex }) => boolean): void
  /** Resolves to the held requests in order as soon as there are `count`. */
  held(count: number): Promise<readonly HeldRequest[]>
  /** Releases all held requests and holds no more. */
  open(): void
  /** Number of signatures so far. */
  readonly signed: () => number
}

/** Starts a fake signer with the operator's key of local networks. Only the operator uses this key in these tests. */
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
        await new Promise<void>((release) => {
          waiting.push({ data, release })
          for (const check of watchers) check()
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
        const check = () => {
          if (waiting.length >= count) resolve()
        }
        watchers.add(check)
        check()
      })
      return [...waiting]
    },
    open() {
      isHeld = () => false
      for (const { release } of waiting.splice(0)) release()
    },
    signed: () => signed,
  }
}

/** Settings that take the operator's key from this signer. */
export const remoteOperator = ({ url }: Pick<FakeSigner, 'url'>, SIGNER_TIMEOUT = '20') => ({
  SIGNER_URL: url,
  SIGNER_TIMEOUT,
  OPERATOR_PRIVATE_KEY: `remote:${devRoles.operator.address}`,
})
