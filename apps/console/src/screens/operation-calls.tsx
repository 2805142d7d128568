import {
  callContext,
  decodeArguments,
  describeCall,
  findAssetFunction,
  summarizeCalls,
  toCallNetwork,
} from '@lanyard/calls'
import { Card, Details, Fact, Notice } from '@lanyard/ui'
import type { Hex } from 'viem'
import type { Outputs } from '../api/outputs.ts'
import { coins } from '../ui/amounts.ts'
import { Section } from '../ui/section.tsx'

type Detail = Outputs['operations']['detail']

/** What an operation does, as the wallet reads it. */
export function OperationCalls({ calls, callsProblem: problem, contracts, account, state, success }: Detail) {
  const network = contracts ? toCallNetwork(contracts) : undefined
  const context = callContext(account, network)
  const tense = state === 'included' && success === true ? 'past' : 'future'
  const described = calls.map(({ value, ...call }) => ({ ...call, value: BigInt(value) }))
  return (
    <Section title="Calls">
      {problem !== null && (
        <Notice tone="warning" title="The calls cannot be read">
          {problem}
        </Notice>
      )}
      {problem === null && calls.length === 0 && <p className="text-muted text-sm">It makes no calls.</p>}
      {described.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls can be equal and never move
        <Card key={index} className="grid gap-1.5 p-4 text-sm">
          <p className="wrap-anywhere font-medium">
            {summarizeCalls([describeCall(call, context)], tense, context)}
          </p>
          <p className="wrap-anywhere text-muted">
            To <code className="font-mono text-xs">{call.to}</code>
            {call.value !== 0n && `, with ${coins(call.value)}`}
          </p>
          <FunctionFacts data={call.data} />
        </Card>
      ))}
    </Section>
  )
}

/** The bytes of a call, under the function's name and arguments if it is one in common use. */
function FunctionFacts({ data }: { data: Hex }) {
  if (data === '0x') return null
  const abi = findAssetFunction(data)?.abi
  const args = abi && decodeArguments(abi, data)
  return (
    <>
      {args && (
        <dl className="grid gap-1.5 border-line border-l-2 pl-3">
          <Fact term="Function">{abi.name}</Fact>
          {args.map(({ name, value }) => (
            <Fact key={name} term={name}>
              <code className="wrap-anywhere font-mono text-xs">{value}</code>
            </Fact>
          ))}
        </dl>
      )}
      <Details summary="Call data">
        <code className="wrap-anywhere font-mono text-muted text-xs">{data}</code>
      </Details>
    </>
  )
}
