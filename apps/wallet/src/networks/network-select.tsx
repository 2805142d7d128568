import { Field, Select } from '@lanyard/ui'
import type { Network } from './use-networks.ts'

interface NetworkSelectProps {
  readonly label: string
  readonly networks: readonly Network[]
  readonly chainId: number
  readonly onChange: (chainId: number) => void
}

/** Selects a network. */
export function NetworkSelect({ label, networks, chainId, onChange }: NetworkSelectProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={chainId} onChange={(event) => onChange(Number(event.target.value))}>
          {networks.map((network) => (
            <option key={network.chainId} value={network.chainId}>
              {network.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
