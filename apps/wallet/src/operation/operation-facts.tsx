import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AbiFunction } from 'viem'
import { nativeCurrency } from '../amounts/currency.ts'
import { formatAmount } from '../amounts/format-amount.ts'
import { describeCall } from '../calls/describe-call.ts'
import { useSession } from '../session/session-context.tsx'
import { Details } from '../ui/details.tsx'
import { CallFacts } from './call-facts.tsx'
import type { PreparedOperation } from './prepare-operation.ts'

interface OperationFactsProps {
  readonly prepared: PreparedOperation
  readonly names?: ReadonlyMap<string, string> | undefined
  readonly abi?: AbiFunction | undefined
}

/** The operation as its bytes say it, fee included. */
export function OperationFacts({ prepared: { network, verified }, names, abi }: OperationFactsProps) {
  const { account } = useSession()
  const context = { account, tokens: network.currencies }
  return (
    <div className="grid gap-4">
      {verified.calls.map((call, index) => (
        <CallFacts
          // biome-ignore lint/suspicious/noArrayIndexKey: calls can be equal, and their order is fixed
          key={index}
          call={call}
          description={describeCall(call, context)}
          names={names}
          abi={abi}
        />
      ))}
      <dl className="grid gap-2.5 border-line border-t pt-4 text-sm">
        <Fact term="Network">{network.name}</Fact>
        {verified.deploysAccount && <Fact term="First transaction here">also deploys your account</Fact>}
        <Fact term="Network fee, at most">
          <span className="figures">
            {formatAmount(verified.maxFee, nativeCurrency.decimals)} {nativeCurrency.symbol}
          </span>
        </Fact>
      </dl>
      <div className="grid gap-2 rounded-field bg-accent-soft p-3.5">
        <p className="flex gap-2 text-sm">
          <ShieldCheck className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
          Recomputed on this device: your passkey signs this and nothing else.
        </p>
        <Details summary="What exactly">
          <dl className="grid gap-3 break-all font-mono text-xs leading-5">
            <RawFact term="SafeOp hash, the passkey’s challenge">{verified.safeOperationHash}</RawFact>
            <RawFact term="User operation hash">{verified.userOpHash}</RawFact>
            {verified.calls.map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <RawFact key={index} term={`Call ${index + 1}`}>
                to {call.to}, {call.value.toString()} wei, data {call.data}
              </RawFact>
            ))}
          </dl>
        </Details>
      </div>
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6">
      <dt className="text-muted">{term}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  )
}

function RawFact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-sans text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
