/** German, by the English text. */
export const de: Readonly<Record<string, string>> = {
  'Sent {amount} to {party}': '{amount} an {party} gesendet',
  'Send {amount} to {party}': '{amount} an {party} senden',
  'Allowed {party} to spend {amount}': '{party} darf {amount} ausgeben',
  'Allow {party} to spend {amount}': '{party} erlauben, {amount} auszugeben',
  'Added owner {party}': 'Inhaber {party} hinzugefügt',
  'Add owner {party}': 'Inhaber {party} hinzufügen',
  'Removed owner {party}': 'Inhaber {party} entfernt',
  'Remove owner {party}': 'Inhaber {party} entfernen',
  'Created a passkey’s signer': 'Signer-Contract eines Passkeys erstellt',
  'Create a passkey’s signer': 'Signer-Contract eines Passkeys erstellen',
  'Deposited {amount} for {party}': '{amount} für {party} eingezahlt',
  'Deposit {amount} for {party}': '{amount} für {party} einzahlen',
  'Deposited {amount} into the combined balance': '{amount} ins Gesamtguthaben eingezahlt',
  'Deposit {amount} into the combined balance': '{amount} ins Gesamtguthaben einzahlen',
  'Moved {amount} out of the combined balance to {party}':
    '{amount} vom Gesamtguthaben an {party} übertragen',
  'Move {amount} out of the combined balance to {party}': '{amount} vom Gesamtguthaben an {party} übertragen',
  'Moved money out of the combined balance': 'Geld vom Gesamtguthaben übertragen',
  'Move money out of the combined balance': 'Geld vom Gesamtguthaben übertragen',
  'Added a key that may spend the combined balance':
    'Schlüssel hinzugefügt, der das Gesamtguthaben ausgeben darf',
  'Add a key that may spend the combined balance':
    'Schlüssel hinzufügen, der das Gesamtguthaben ausgeben darf',
  'Removed a key that may spend the combined balance':
    'Schlüssel entfernt, der das Gesamtguthaben ausgeben durfte',
  'Remove a key that may spend the combined balance':
    'Schlüssel entfernen, der das Gesamtguthaben ausgeben darf',
  'Started taking {amount} out of the combined balance':
    'Auszahlung von {amount} aus dem Gesamtguthaben begonnen',
  'Start taking {amount} out of the combined balance':
    'Auszahlung von {amount} aus dem Gesamtguthaben beginnen',
  'Cancelled taking money out of the combined balance': 'Auszahlung aus dem Gesamtguthaben abgebrochen',
  'Cancel taking money out of the combined balance': 'Auszahlung aus dem Gesamtguthaben abbrechen',
  'Finished taking money out of the combined balance to {party}':
    'Auszahlung aus dem Gesamtguthaben an {party} abgeschlossen',
  'Finish taking money out of the combined balance to {party}':
    'Auszahlung aus dem Gesamtguthaben an {party} abschließen',
  'Granted session key {key}': 'Sitzungsschlüssel {key} erteilt',
  'Grant session key {key}': 'Sitzungsschlüssel {key} erteilen',
  'Revoked session key {key}': 'Sitzungsschlüssel {key} widerrufen',
  'Revoke session key {key}': 'Sitzungsschlüssel {key} widerrufen',
  'Ended all session keys': 'Alle Sitzungsschlüssel beendet',
  'End all session keys': 'Alle Sitzungsschlüssel beenden',
  'Session key: {summary}': 'Sitzungsschlüssel: {summary}',
  'Added the session keys contract': 'Contract der Sitzungsschlüssel hinzugefügt',
  'Add the session keys contract': 'Contract der Sitzungsschlüssel hinzufügen',
  'Removed the session keys contract': 'Contract der Sitzungsschlüssel entfernt',
  'Remove the session keys contract': 'Contract der Sitzungsschlüssel entfernen',
  'Turned guardians on': 'Wächter eingeschaltet',
  'Turn guardians on': 'Wächter einschalten',
  'Removed module {party}': 'Modul {party} entfernt',
  'Remove module {party}': 'Modul {party} entfernen',
  'Removed the guard': 'Guard entfernt',
  'Remove the guard': 'Guard entfernen',
  'Restored the fallback handler': 'Fallback-Handler wiederhergestellt',
  'Restore the fallback handler': 'Fallback-Handler wiederherstellen',
  'Contract call to {party}': 'Contract-Aufruf an {party}',
  'Deployed the account': 'Konto angelegt',
  'Deploy the account': 'Konto anlegen',
  '{call} and {count} more': '{call} und {count} weitere',
  '{summary} from the combined balance': '{summary}, aus dem Gesamtguthaben',
}
