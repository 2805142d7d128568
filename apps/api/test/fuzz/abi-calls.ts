import {
  devTokenAbi,
  entryPointAbi,
  multiSendAbi,
  safe4337ModuleAbi,
  safeAbi,
  sessionKeysAbi,
  smartBalanceAbi,
} from '@lanyard/onchain'
import fc from 'fast-check'
import { type Abi, type AbiFunction, type AbiParameter, encodeFunctionData, erc20Abi, type Hex } from 'viem'

/**
 * Placeholders for addresses of the fixture while the data is encoded and changed. No other data contains these
 * bytes.
 */
export const addressMarks: Readonly<Record<string, Hex>> = {
  wallet: `0x${'fa01'.repeat(10)}`,
  token: `0x${'fa02'.repeat(10)}`,
  payee: `0x${'fa03'.repeat(10)}`,
  thirdParty: `0x${'fa04'.repeat(10)}`,
}

const address = fc.constantFrom<Hex>(
  ...Object.values(addressMarks),
  `0x${'00'.repeat(20)}`,
  `0x${'00'.repeat(19)}01`,
  `0x${'ff'.repeat(20)}`,
)

const hexBytes = (minLength: number, maxLength: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

function integers(type: string): fc.Arbitrary<bigint | number> {
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256)
  const signed = type.startsWith('int')
  const max = signed ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n
  const any = fc.oneof(
    fc.constantFrom(0n, 1n, 2n, max),
    fc.bigInt({ min: 0n, max: max < 10n ** 9n ? max : 10n ** 9n }),
    fc.bigInt({ min: 0n, max }),
  )
  return bits <= 48 ? any.map(Number) : any // viem uses numbers up to 48 bits
}

/** An argument of an ABI type. */
function argument(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const { type } = parameter
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list) {
    const [, inner = '', length = ''] = list
    const count = length === '' ? { maxLength: 3 } : { minLength: Number(length), maxLength: Number(length) }
    return fc.array(argument({ ...parameter, type: inner }), count)
  }
  if (type === 'tuple') {
    const { components = [] } = parameter as { readonly components?: readonly AbiParameter[] } // tuples have components
    return fc.record(
      Object.fromEntries(
        components.map((component, index) => [component.name ?? String(index), argument(component)]),
      ),
      { noNullPrototype: true },
    )
  }
  if (type === 'address') return address
  if (type === 'bool') return fc.boolean()
  if (type === 'string') return fc.string({ maxLength: 40 }).map((text) => text.toWellFormed())
  if (type === 'bytes') return hexBytes(0, 80)
  const fixed = /^bytes(\d+)$/.exec(type)
  if (fixed) return hexBytes(Number(fixed[1]), Number(fixed[1]))
  return integers(type)
}

const isStateChanging = (item: Abi[number]): item is AbiFunction =>
  item.type === 'function' && item.stateMutability !== 'view' && item.stateMutability !== 'pure'

/** The contracts of the fixture by name, with their ABIs. */
const contracts: Readonly<Record<string, Abi>> = {
  token: [...erc20Abi, ...devTokenAbi],
  wallet: [...safeAbi, ...safe4337ModuleAbi],
  safeModule: safe4337ModuleAbi,
  smartBalance: smartBalanceAbi,
  sessionKeys: sessionKeysAbi,
  multiSend: multiSendAbi,
  entryPoint: entryPointAbi,
}

/** A call that decodes: the name of its target, and its data with placeholders for addresses. */
export interface AbiCall {
  readonly target: string
  readonly data: Hex
}

/** Calls of every state-changing function of every contract that the fixture knows. */
export const abiCalls: fc.Arbitrary<AbiCall> = fc
  .constantFrom(
    ...Object.entries(contracts).flatMap(([target, abi]) =>
      abi.filter(isStateChanging).map((item) => ({ target, item })),
    ),
  )
  .chain(({ target, item }) =>
    fc.tuple(...item.inputs.map(argument)).map((args) => ({
      target,
      data: encodeFunctionData({ abi: [item], functionName: item.name, args }),
    })),
  )
