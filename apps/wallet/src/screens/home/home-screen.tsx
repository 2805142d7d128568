import { Send } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Screen } from '../../ui/screen.tsx'
import { AddressCard } from './address-card.tsx'
import { BalanceList } from './balance-list.tsx'
import { CombinedBalance } from './combined-balance.tsx'
import { ProtectionHint } from './protection-hint.tsx'

/** What there is, and where to send more. */
export function HomeScreen() {
  return (
    <Screen
      title="Home"
      aside={
        <Button asChild look="secondary">
          <Link to="/send">
            <Send className="size-4" aria-hidden="true" />
            Send
          </Link>
        </Button>
      }
    >
      <ProtectionHint />
      <div className="grid items-start gap-5 md:grid-cols-[1fr_20rem]">
        <div className="grid gap-5">
          <CombinedBalance />
          <BalanceList />
        </div>
        <AddressCard />
      </div>
    </Screen>
  )
}
