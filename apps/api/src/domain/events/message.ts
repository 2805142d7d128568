import type { EventMessage } from '@lanyard/contracts'
import type { PublishedEvent } from '@lanyard/database'
import { getAddress } from 'viem'

/** An event in the form that servers and pages receive. */
export const toMessage = ({
  position,
  type,
  account,
  network,
  data,
  created_at,
}: PublishedEvent): EventMessage =>
  ({
    type,
    timestamp: created_at.toISOString(),
    data: {
      ...{ position: String(position), account: getAddress(account), network: String(network) },
      ...(data as object),
    },
  }) as EventMessage // the database triggers write data as the contracts declare it; tests compare them
