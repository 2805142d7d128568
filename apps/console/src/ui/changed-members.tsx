import type { Outputs } from '../api/outputs.ts'

type PolicyChange = Outputs['policies']['dryRun']['changes'][number]
type Member = PolicyChange['members'][number]

const titleOf = ({ kind, position }: PolicyChange) =>
  kind === 'new' ? `New, as number ${position}` : kind === 'gone' ? 'Ends' : undefined

/** What changes in each policy: of a list what went and came, of any other value all of it. */
export function ChangedPolicies({ changes }: { changes: readonly PolicyChange[] }) {
  return (
    <div className="grid gap-4">
      {changes.map((change) => {
        const { policy, kind, members } = change
        const title = titleOf(change)
        return (
          <div key={policy} className="grid gap-2">
            <p className="font-medium">
              {policy}
              {title !== undefined && <span className="text-muted"> · {title}</span>}
            </p>
            {kind !== 'gone' &&
              members.map((member) => <ChangedMember key={member.path} {...member} isNew={kind === 'new'} />)}
          </div>
        )
      })}
    </div>
  )
}

/** One member: removed in red, added in green, and with a sign, since not everyone sees the colours. */
export function ChangedMember({ name, removed, added, absent, was, is, isNew }: Member & { isNew: boolean }) {
  const gone = removed.length > 0 || was || isNew ? removed : [absent]
  const came = added.length > 0 || is ? added : [absent]
  return (
    <div className="grid gap-1">
      <p className="text-muted text-sm first-letter:uppercase">{name}</p>
      <div className="overflow-hidden rounded-field border border-line text-sm">
        {gone.map((text) => (
          <Line key={`- ${text}`} sign="−" label="Removed" text={text} className="bg-danger-soft" />
        ))}
        {came.map((text) => (
          <Line key={`+ ${text}`} sign="+" label="Added" text={text} className="bg-accent-soft" />
        ))}
      </div>
    </div>
  )
}

function Line({
  sign,
  label,
  text,
  className,
}: {
  sign: string
  label: string
  text: string
  className: string
}) {
  return (
    <p className={`flex min-h-9 items-center gap-3 px-3 py-1.5 ${className}`}>
      <span aria-hidden="true" className="w-3 shrink-0 font-semibold">
        {sign}
      </span>
      <span className="sr-only">{label}: </span>
      <span className="wrap-anywhere">{text}</span>
    </p>
  )
}
