/** German, by the English text. A text that is the same in both languages stands here, too. */
export const de: Readonly<Record<string, string>> = {
  Max: 'Max',
  'less than {amount}': 'weniger als {amount}',
  'Prices by Chainlink': 'Preise von Chainlink',
  'Prices by this service': 'Preise von diesem Dienst',
  today: 'heute',
  'Your passkey is not backed up.': 'Dein Passkey ist nicht gesichert.',
  'It exists only on the device or security key that made it. With another passkey, on another device, you keep your account if you lose it.':
    'Es gibt ihn nur auf dem Gerät oder Sicherheitsschlüssel, auf dem er entstand. Mit einem weiteren Passkey auf einem anderen Gerät behältst du dein Konto, wenn du ihn verlierst.',
  'Add another passkey': 'Weiteren Passkey hinzufügen',
  'This is much more than you usually send.': 'Das ist viel mehr, als du sonst sendest.',
  'The most that you sent from this browser lately is {amount}.':
    'Zuletzt hast du aus diesem Browser höchstens {amount} auf einmal gesendet.',
  'I want to send {amount}.': 'Ich will {amount} senden.',
  'everything that leaves the combined balance': 'alles, was das Gesamtguthaben verlässt,',
  'The transaction does not say how much it sends.': 'Die Transaktion nennt den Betrag nicht.',
  'All that was requested from the combined balance goes to another address.':
    'Die ganze angeforderte Auszahlung aus dem Gesamtguthaben geht an eine andere Adresse.',
  'Confirm the amount first.': 'Bestätige zuerst den Betrag.',
  'Choose the known one instead': 'Stattdessen den bekannten Eintrag wählen',
  'Enter an amount.': 'Gib einen Betrag ein.',
  'Leave out thousands separators.': 'Lass die Tausendertrennzeichen weg.',
  'Only whole units.': 'Nur ganze Einheiten.',
  'At most {decimals} decimals.': 'Höchstens {decimals} Nachkommastellen.',
  'That is more than exists.': 'So viel gibt es nicht.',
  'Enter a function, such as transfer(address,uint256).':
    'Gib eine Funktion ein, zum Beispiel transfer(address,uint256).',
  'That is not a function signature. Example: transfer(address,uint256)':
    'Das ist keine Funktionssignatur. Beispiel: transfer(address,uint256)',
  'Expected {expected}.': 'Erwartet wird {expected}.',
  'These arguments do not fit the function.': 'Diese Argumente passen nicht zur Funktion.',
  'a whole number ({type})': 'eine ganze Zahl ({type})',
  'true or false': 'true oder false',
  'Added owner {party}': 'Inhaber {party} hinzugefügt',
  'Removed owner {party}': 'Inhaber {party} entfernt',
  'Ended all session keys': 'Alle Sitzungsschlüssel beendet',
  'Guardian {guardian} signed a recovery': 'Wächter {guardian} hat eine Wiederherstellung signiert',
  'Your guardians started a recovery': 'Deine Wächter haben eine Wiederherstellung begonnen',
  'Enough guardians signed a recovery': 'Genug Wächter haben eine Wiederherstellung signiert',
  'The account was recovered on {done} of {total} networks':
    'Das Konto wurde in {done} von {total} Netzwerken wiederhergestellt',
  'The account was recovered': 'Das Konto wurde wiederhergestellt',
  'Guardian {guardian} signed to cancel the recovery':
    'Wächter {guardian} hat den Abbruch der Wiederherstellung signiert',
  'Your guardians cancelled the recovery': 'Deine Wächter haben die Wiederherstellung abgebrochen',
  'Replaced owner {old} by {added}': 'Inhaber {old} durch {added} ersetzt',
  'Set guardians: {threshold} of {count} must sign':
    'Wächter festgelegt: {threshold} von {count} müssen signieren',
  'Removed all guardians': 'Alle Wächter entfernt',
  'Cancelled the recovery': 'Wiederherstellung abgebrochen',
  'Cancelled what guardians sign': 'Abgebrochen, was Wächter signieren',
  'Changed the owners': 'Inhaber geändert',
  'It ended the recovery.': 'Das hat die Wiederherstellung beendet.',
  'Not on {networks}': 'Nicht in {networks}',
  'End all session keys': 'Alle Sitzungsschlüssel beenden',
  'Apps with a session key here cannot act for your account any more. Grant a key again to the ones you keep.':
    'Apps mit einem Sitzungsschlüssel können hier nicht mehr für dein Konto handeln. Erteile denen, die du behältst, einen neuen.',
  Pending: 'Ausstehend',
  'Failed on the network': 'Im Netzwerk fehlgeschlagen',
  'Not included': 'Nicht aufgenommen',
  'Loading the status': 'Status wird geladen',
  Network: 'Netzwerk',
  'User operation': 'User Operation',
  Transaction: 'Transaktion',
  'This window takes one request.': 'Dieses Fenster nimmt eine Anfrage an.',
  Decline: 'Ablehnen',
  'Nothing to do here': 'Hier ist nichts zu tun',
  'This wallet does not connect to apps. You can close this window.':
    'Diese Wallet verbindet sich nicht mit Apps. Du kannst das Fenster schließen.',
  'This window belongs to an app that uses your wallet. Start again in the app. If it says that your wallet does not answer, the app’s own security headers keep the two apart.':
    'Dieses Fenster gehört zu einer App, die deine Wallet benutzt. Fang in der App noch einmal an. Wenn sie sagt, dass deine Wallet nicht antwortet, trennen ihre eigenen Sicherheits-Header die beiden.',
  Done: 'Fertig',
  'You can close this window.': 'Du kannst das Fenster schließen.',
  'Waiting for the app': 'Warten auf die App',
  'This page is not connected to the wallet.': 'Diese Seite ist nicht mit der Wallet verbunden.',
  'Your wallet does not answer': 'Deine Wallet antwortet nicht',
  'Reading the request': 'Anfrage wird gelesen',
  'The user declined.': 'Die Person hat abgelehnt.',
  Refused: 'Abgewiesen',
  'Nothing was signed. Do not use {origin} until you know why it asked for this.':
    'Nichts wurde signiert. Benutze {origin} erst wieder, wenn du weißt, warum danach gefragt wurde.',
  Close: 'Schließen',
  'No account in this browser': 'Kein Konto in diesem Browser',
  'Open your wallet in another tab and sign in, or create an account. This window then continues by itself.':
    'Öffne deine Wallet in einem anderen Tab und melde dich an, oder lege ein Konto an. Dieses Fenster macht dann von selbst weiter.',
  'Open the wallet': 'Wallet öffnen',
  'This is not text.': 'Das ist kein Text.',
  'Nobody can read these bytes. Sign only if you know where they come from.':
    'Niemand kann diese Bytes lesen. Signiere nur, wenn du weißt, woher sie kommen.',
  'This app asks for a sign-in that is not well-formed (ERC-4361).':
    'Diese App bittet um eine Anmeldung in falscher Form (ERC-4361).',
  'This app asks for a sign-in to another one: {domain}.':
    'Diese App bittet um eine Anmeldung bei einer anderen: {domain}.',
  'This app asks for a sign-in to an address that is not its own.':
    'Diese App bittet um eine Anmeldung an einer Adresse, die nicht ihre eigene ist.',
  'This app asks for a sign-in with another account.':
    'Diese App bittet um eine Anmeldung mit einem anderen Konto.',
  'This app asks for a sign-in on a network that your wallet does not have.':
    'Diese App bittet um eine Anmeldung in einem Netzwerk, das deine Wallet nicht hat.',
  'This app asks for a sign-in that has expired.': 'Diese App bittet um eine Anmeldung, die abgelaufen ist.',
  'Sign in': 'Anmelden',
  'Sign a message': 'Nachricht signieren',
  'Sign in with passkey': 'Mit Passkey anmelden',
  'Sign with passkey': 'Mit Passkey signieren',
  'Sign data': 'Daten signieren',
  'Your calls': 'Deine Aufrufe',
  'Connect and sign in': 'Verbinden und anmelden',
  Connect: 'Verbinden',
  'wants to use your wallet.': 'möchte deine Wallet benutzen.',
  '{username}’s account': 'Konto von {username}',
  'It sees this account’s address and your wallet’s networks.':
    'Sie sieht die Adresse dieses Kontos und die Netzwerke deiner Wallet.',
  'It can ask you to sign. Each time you see what, and decide.':
    'Sie kann dich bitten zu signieren. Jedes Mal siehst du, was, und entscheidest.',
  'It can’t move money. You can disconnect it at any time.':
    'Sie kann kein Geld bewegen. Du kannst sie jederzeit trennen.',
  'Connect and sign in with passkey': 'Mit Passkey verbinden und anmelden',
  'asks for your signature.': 'bittet um deine Signatur.',
  'Valid on': 'Gültig in',
  'Review and sign': 'Prüfen und signieren',
  'asks you to send this.': 'bittet dich, das zu senden.',
  'Preparing the transaction': 'Transaktion wird vorbereitet',
  Sending: 'Wird gesendet',
  Signs: 'Es signiert',
  'This app asks for a call to your account itself. Only the wallet may do that.':
    'Diese App bittet um einen Aufruf deines Kontos selbst. Das darf nur die Wallet.',
  'This app asks for a call to your account’s module. Only the wallet may do that.':
    'Diese App bittet um einen Aufruf des Moduls deines Kontos. Das darf nur die Wallet.',
  'This app asks for a call to your combined balance. Only the wallet may do that.':
    'Diese App bittet um einen Aufruf deines Gesamtguthabens. Das darf nur die Wallet.',
  'This app asks for a call to your session keys. Only the wallet may do that.':
    'Diese App bittet um einen Aufruf deiner Sitzungsschlüssel. Das darf nur die Wallet.',
  'This app asks for a call to the contract that keeps your gas deposit. Only the wallet may do that.':
    'Diese App bittet um einen Aufruf des Contracts mit deiner Gebühreneinlage. Das darf nur die Wallet.',
  'You sign in to {name}. It can act as you there; your account here is not touched.':
    'Du meldest dich bei {name} an. Dort kann sie für dich handeln; dein Konto hier bleibt unberührt.',
  'It also lists': 'Außerdem nennt sie',
  'Valid until': 'Gültig bis',
  'This lets somebody take your tokens through Permit2.':
    'Damit darf jemand deine Token über Permit2 nehmen.',
  'Whoever holds the signature can move them without asking you again. Check the spender and the amounts.':
    'Wer die Signatur hat, kann sie bewegen, ohne dich noch einmal zu fragen. Prüfe, wer sie bekommt und wie viel.',
  'This lets somebody take your tokens.': 'Damit darf jemand deine Token nehmen.',
  'It is a permit: the spender can move the tokens or NFTs without asking you again. Check the spender and the amount.':
    'Es ist ein Permit: Der Berechtigte kann die Token oder NFTs bewegen, ohne dich noch einmal zu fragen. Prüfe, wer das ist und wie viel.',
  'This moves your tokens.': 'Das bewegt deine Token.',
  'Whoever holds the signature can carry the transfer out. Check the recipient and the amount.':
    'Wer die Signatur hat, kann die Übertragung ausführen. Prüfe den Empfänger und den Betrag.',
  'This is a marketplace order.': 'Das ist ein Auftrag auf einem Marktplatz.',
  'It can be filled later, at exactly these terms. Check what you give and what you get.':
    'Er kann später ausgeführt werden, genau zu diesen Bedingungen. Prüfe, was du gibst und was du bekommst.',
  'This lets somebody claim what you locked.': 'Damit darf jemand beanspruchen, was du hinterlegt hast.',
  'It is a claim of The Compact: the arbiter can hand out the tokens. Check the arbiter, the amounts and the time.':
    'Es ist ein Anspruch aus The Compact: Der Vermittler kann die Token herausgeben. Prüfe den Vermittler, die Beträge und die Zeit.',
  'This lets somebody act in your name.': 'Damit darf jemand in deinem Namen handeln.',
  'Whoever holds the signature can make the call below as if you had sent it. Check the contract and the data.':
    'Wer die Signatur hat, kann den Aufruf unten ausführen, als hättest du ihn gesendet. Prüfe den Contract und die Daten.',
  'This is a transaction of a Safe account.': 'Das ist eine Transaktion eines Safe-Kontos.',
  'If your account owns that Safe, the signature approves what is shown below. It can move everything that the Safe holds.':
    'Wenn dein Konto diesen Safe besitzt, stimmt die Signatur dem zu, was unten steht. Sie kann alles bewegen, was der Safe hält.',
  'An amount has no limit.': 'Ein Betrag hat keine Grenze.',
  'Somebody can take all that you hold of it, now and later. Ask the app for the amount that is needed.':
    'Jemand kann alles davon nehmen, was du hast, jetzt und später. Bitte die App um den Betrag, der nötig ist.',
  'This names another network.': 'Hier steht ein anderes Netzwerk.',
  'The signature counts only on the network that is shown.':
    'Die Signatur zählt nur in dem Netzwerk, das angezeigt wird.',
  'For the contract or service that calls itself': 'Für den Contract oder Dienst, der sich so nennt:',
  'The passkey prompt was closed or timed out.':
    'Die Passkey-Abfrage wurde geschlossen, oder die Zeit ist abgelaufen.',
  'Try again when you are ready.': 'Versuch es noch einmal, wenn du so weit bist.',
  'The passkey prompt was closed.': 'Die Passkey-Abfrage wurde geschlossen.',
  'This device already has a passkey for this account.':
    'Dieses Gerät hat schon einen Passkey für dieses Konto.',
  'Sign in with it instead, or use another device or security key.':
    'Melde dich damit an, oder nimm ein anderes Gerät oder einen Sicherheitsschlüssel.',
  'Passkeys of this service do not work at this web address.':
    'Die Passkeys dieses Dienstes funktionieren unter dieser Webadresse nicht.',
  'Open the wallet at the address that its operator gave you. On your own machine use http://localhost, not an IP address.':
    'Öffne die Wallet unter der Adresse, die dir der Betreiber gegeben hat. Auf deinem eigenen Rechner nimm http://localhost, keine IP-Adresse.',
  'This browser does not have the key any more.': 'Dieser Browser hat den Schlüssel nicht mehr.',
  'Revoke the session key, and create another one here.':
    'Widerrufe den Sitzungsschlüssel und lege hier einen neuen an.',
  'This device cannot create the kind of passkey that you need.':
    'Dieses Gerät kann nicht die Art von Passkey erstellen, die du brauchst.',
  'Use a phone, a password manager or a security key that supports ES256 passkeys.':
    'Nimm ein Telefon, einen Passwortmanager oder einen Sicherheitsschlüssel, der ES256-Passkeys kann.',
  'This passkey cannot confirm that it is you.': 'Dieser Passkey kann nicht bestätigen, dass du es bist.',
  'Set a PIN, fingerprint or face unlock on the device or security key, then try again.':
    'Richte auf dem Gerät oder Sicherheitsschlüssel eine PIN, einen Fingerabdruck oder die Gesichtserkennung ein und versuch es noch einmal.',
  'Nothing was signed, and your account stays yours. Do not use this service until its operator has explained why.':
    'Nichts wurde signiert, und dein Konto gehört weiter dir. Benutze diesen Dienst erst wieder, wenn sein Betreiber erklärt hat, warum.',
  'You are offline.': 'Du bist offline.',
  'Nothing was sent, and nothing will be sent later. Try again when you are connected.':
    'Nichts wurde gesendet, und nichts wird später gesendet. Versuch es noch einmal, wenn du verbunden bist.',
  'The service is not responding.': 'Der Dienst antwortet nicht.',
  'Check your connection, then try again. Your account is safe either way.':
    'Prüfe deine Verbindung und versuch es noch einmal. Dein Konto ist auf jeden Fall sicher.',
  'Something unexpected happened on this page.': 'Auf dieser Seite ist etwas Unerwartetes passiert.',
  'Reload it and try again. Nothing was signed.':
    'Lade sie neu und versuch es noch einmal. Nichts wurde signiert.',
  'Nothing was lost. Try again in a moment.': 'Nichts ging verloren. Versuch es gleich noch einmal.',
  'Go back and review the transaction again. You will see the new figures before you sign.':
    'Geh zurück und prüfe die Transaktion noch einmal. Du siehst die neuen Zahlen, bevor du signierst.',
  'This account has no passkey: the key of an address signs for it.':
    'Dieses Konto hat keinen Passkey: Der Schlüssel einer Adresse unterschreibt dafür.',
  'Use it in an app that connects the wallet of that address, or create an account here.':
    'Nutze es in einer App, die sich mit dem Wallet dieser Adresse verbindet, oder lege hier ein Konto an.',
  'There is no account with this name.': 'Unter diesem Namen gibt es kein Konto.',
  'Check the spelling, or create a new account.': 'Prüfe die Schreibweise, oder lege ein neues Konto an.',
  'This name is taken.': 'Dieser Name ist vergeben.',
  'Choose another one, or sign in if it is yours.':
    'Wähle einen anderen, oder melde dich an, wenn es deiner ist.',
  'The service could not verify your passkey.': 'Der Dienst konnte deinen Passkey nicht prüfen.',
  'Try again. If it keeps failing, choose another passkey of this account.':
    'Versuch es noch einmal. Wenn es wieder nicht geht, nimm einen anderen Passkey dieses Kontos.',
  'This service does not know your account.': 'Dieser Dienst kennt dein Konto nicht.',
  'Sign out and in again. A development service forgets its accounts when it restarts.':
    'Melde dich ab und wieder an. Ein Entwicklungsdienst vergisst seine Konten, wenn er neu startet.',
  'Network fees have risen.': 'Die Netzwerkgebühren sind gestiegen.',
  'This transaction is out of date.': 'Diese Transaktion ist veraltet.',
  'This transaction expired before it was signed.':
    'Diese Transaktion ist abgelaufen, bevor sie signiert wurde.',
  'Your account’s first transaction on this network is still pending.':
    'Die erste Transaktion deines Kontos in diesem Netzwerk steht noch aus.',
  'Wait until it is included. You can follow it under Activity.':
    'Warte, bis sie aufgenommen ist. Du kannst sie unter Aktivität verfolgen.',
  'Too many of your transactions are pending on this network.':
    'In diesem Netzwerk stehen zu viele deiner Transaktionen aus.',
  'Wait until one is included. You can follow them under Activity.':
    'Warte, bis eine aufgenommen ist. Du kannst sie unter Aktivität verfolgen.',
  'Your account does not exist on this network.': 'Dein Konto gibt es in diesem Netzwerk nicht.',
  'Choose another network, and send nothing to your address on this one.':
    'Wähle ein anderes Netzwerk, und sende in diesem nichts an deine Adresse.',
  'This network does not support the combined balance.':
    'Dieses Netzwerk unterstützt das Gesamtguthaben nicht.',
  'Choose another network.': 'Wähle ein anderes Netzwerk.',
  'The operator cannot advance that much on this network right now.':
    'Der Betreiber kann in diesem Netzwerk gerade nicht so viel vorstrecken.',
  'Choose another network, send less, or try again later. Your deposits are not affected.':
    'Wähle ein anderes Netzwerk, sende weniger oder versuch es später noch einmal. Deine Einzahlungen sind nicht betroffen.',
  'The price has changed.': 'Der Preis hat sich geändert.',
  'Change the amount and try again.': 'Ändere den Betrag und versuch es noch einmal.',
  'Check the date on which it is ready.': 'Prüfe, ab wann sie bereit ist.',
  'The operator cannot pay the network fee at the moment.':
    'Der Betreiber kann die Netzwerkgebühr gerade nicht bezahlen.',
  'Try again later, or send from one network. Your deposits are not affected.':
    'Versuch es später noch einmal, oder sende aus einem Netzwerk. Deine Einzahlungen sind nicht betroffen.',
  'This payment is out of date.': 'Diese Zahlung ist veraltet.',
  'This payment has expired. Nothing moved.': 'Diese Zahlung ist abgelaufen. Nichts wurde bewegt.',
  'Another payment from your combined balance is still open.':
    'Eine andere Zahlung aus deinem Gesamtguthaben ist noch offen.',
  'Sign that one, or wait ten minutes until it expires. You can find it under Activity.':
    'Signiere sie, oder warte zehn Minuten, bis sie abläuft. Du findest sie unter Aktivität.',
  'This service does not know this payment.': 'Dieser Dienst kennt diese Zahlung nicht.',
  'Check Activity. A development service forgets everything when it restarts.':
    'Sieh unter Aktivität nach. Ein Entwicklungsdienst vergisst alles, wenn er neu startet.',
  'This network does not support session keys.': 'Dieses Netzwerk unterstützt keine Sitzungsschlüssel.',
  'This session key has ended already.': 'Dieser Sitzungsschlüssel ist schon beendet.',
  'Go back to see those that are left.': 'Geh zurück, um die übrigen zu sehen.',
  'You are signed out.': 'Du bist abgemeldet.',
  'Sign in again with your passkey.': 'Melde dich mit deinem Passkey wieder an.',
  'Ask the operator of this service.': 'Frag den Betreiber dieses Dienstes.',
  'Too many of your transactions are waiting for a signature.':
    'Zu viele deiner Transaktionen warten auf eine Signatur.',
  'Sign one of them, or wait ten minutes until they expire.':
    'Signiere eine davon, oder warte zehn Minuten, bis sie ablaufen.',
  'Too many requests.': 'Zu viele Anfragen.',
  'Wait a minute, then try again.': 'Warte eine Minute und versuch es dann noch einmal.',
  'This network is not responding.': 'Dieses Netzwerk antwortet nicht.',
  'This network gave an invalid answer.': 'Dieses Netzwerk hat eine ungültige Antwort gegeben.',
  'Transactions cannot be sent on this network at the moment.':
    'In diesem Netzwerk können gerade keine Transaktionen gesendet werden.',
  'If you already signed, the service keeps it and sends it later. Check Activity before you try again.':
    'Wenn du schon signiert hast, behält der Dienst sie und sendet sie später. Sieh unter Aktivität nach, bevor du es noch einmal versuchst.',
  'The service has a problem.': 'Der Dienst hat ein Problem.',
  'Something went wrong in the service.': 'Im Dienst ist etwas schiefgegangen.',
  'Correct it and try again.': 'Korrigiere es und versuch es noch einmal.',
  'Try again. If it keeps happening, tell the operator of this service.':
    'Versuch es noch einmal. Wenn es wieder passiert, sag es dem Betreiber dieses Dienstes.',
  'Your combined balance does not cover this and its fee.':
    'Dein Gesamtguthaben reicht dafür und für die Gebühr nicht.',
  'Send less, or deposit first.': 'Sende weniger, oder zahle zuerst ein.',
  'Your account does not hold that much there.': 'So viel hat dein Konto dort nicht.',
  'Correct the amount and try again.': 'Korrigiere den Betrag und versuch es noch einmal.',
  'Receive about {amount} more of it on this network first, or send less.':
    'Empfange in diesem Netzwerk erst etwa {amount} mehr davon, oder sende weniger.',
  'Receive some of it on this network first, or send less.':
    'Empfange in diesem Netzwerk erst etwas davon, oder sende weniger.',
  'You do not have enough of this network’s coin for this and its fee.':
    'Du hast nicht genug von der Münze dieses Netzwerks dafür und für die Gebühr.',
  'Your account does not hold that much of this token.': 'So viel von diesem Token hat dein Konto nicht.',
  'Send less, or receive some first.': 'Sende weniger, oder empfange erst welche.',
  'This would fail on the network.': 'Das würde im Netzwerk fehlschlagen.',
  'You would only pay the fee, so there is nothing to sign. Check recipient, amount and arguments.':
    'Du würdest nur die Gebühr bezahlen, also gibt es nichts zu signieren. Prüfe Empfänger, Betrag und Argumente.',
  'The contract says: {reason}.': 'Der Contract sagt: {reason}.',
  'The service named an account address that does not belong to your passkey.':
    'Der Dienst hat eine Kontoadresse genannt, die nicht zu deinem Passkey gehört.',
  'The service built something other than what you asked for.':
    'Der Dienst hat etwas anderes gebaut, als du wolltest.',
  'The service built a transaction for an account that is not yours.':
    'Der Dienst hat eine Transaktion für ein Konto gebaut, das nicht deines ist.',
  'What your passkey would sign is not the transaction shown here.':
    'Dein Passkey würde nicht die Transaktion signieren, die hier steht.',
  'The recovery kit from the service is for an account that is not yours.':
    'Das Wiederherstellungs-Kit des Dienstes ist für ein Konto, das nicht deines ist.',
  'The service’s price does not match its own terms.':
    'Der Preis des Dienstes passt nicht zu seinen eigenen Bedingungen.',
  'The service prepared a payment that differs from its quote.':
    'Der Dienst hat eine Zahlung vorbereitet, die von seinem Angebot abweicht.',
  'The service named a session keys contract that this wallet does not know.':
    'Der Dienst hat einen Contract für Sitzungsschlüssel genannt, den diese Wallet nicht kennt.',
  'The service did not say what your passkey would sign.':
    'Der Dienst hat nicht gesagt, was dein Passkey signieren würde.',
  '{networks} {count, plural, one {is not responding} other {are not responding}}':
    '{networks} {count, plural, one {antwortet nicht} other {antworten nicht}}',
  'network {id}': 'Netzwerk {id}',
  Send: 'Senden',
  to: 'an',
  'Lets the combined balance contract take {amount} {symbol}, once.':
    'Der Contract des Gesamtguthabens darf einmal {amount} {symbol} nehmen.',
  'Allow spending of': 'Ausgabe erlauben von',
  by: 'durch',
  'Add an owner': 'Inhaber hinzufügen',
  'This owner can then act alone': 'Dieser Inhaber kann dann allein handeln',
  'Remove an owner': 'Inhaber entfernen',
  'This owner can then no longer act': 'Dieser Inhaber kann dann nicht mehr handeln',
  'Creates the contract that verifies the new passkey.':
    'Erstellt den Contract, der den neuen Passkey prüft.',
  'Call a contract': 'Contract aufrufen',
  at: 'unter',
  'with {amount} {symbol}': 'mit {amount} {symbol}',
  'Function {code}': 'Funktion {code}',
  'usually less than a minute': 'meist weniger als eine Minute',
  'usually about {seconds} s': 'meist etwa {seconds} s',
  From: 'Von',
  'Network fee': 'Netzwerkgebühr',
  'Paid by this service': 'Bezahlt dieser Dienst',
  'Network fee, at most': 'Netzwerkgebühr, höchstens',
  'You have too little {symbol} here for the fee, so you pay it in {token}. You keep what is not needed.':
    'Du hast hier zu wenig {symbol} für die Gebühr und zahlst sie deshalb in {token}. Was nicht gebraucht wird, behältst du.',
  'Balance after, at least': 'Danach übrig, mindestens',
  'First passkey': 'Erster Passkey',
  'First transaction here': 'Erste Transaktion hier',
  'Also deploys your account': 'Legt auch dein Konto an',
  'Recomputed on this device: your passkey signs this and nothing else.':
    'Auf diesem Gerät nachgerechnet: Dein Passkey signiert das und nichts anderes.',
  'Technical details': 'Technische Einzelheiten',
  'SafeOp hash, the passkey’s challenge': 'SafeOp-Hash, die Challenge des Passkeys',
  'User operation hash': 'Hash der User Operation',
  'Order hash': 'Hash des Auftrags',
  'Call {index}': 'Aufruf {index}',
  'to {to}, {value} wei, data {data}': 'an {to}, {value} Wei, Daten {data}',
  'Signing with your passkey': 'Signieren mit deinem Passkey',
  'Waiting for inclusion in a block': 'Warten auf Aufnahme in einen Block',
  'Done:': 'Erledigt:',
  'The connection broke before the service answered. We are checking whether your signature arrived. Do not pay again before you know.':
    'Die Verbindung brach ab, bevor der Dienst geantwortet hat. Wir prüfen, ob deine Signatur angekommen ist. Bezahle nicht noch einmal, bevor du es weißt.',
  'Still pending. The service has your signature, so you can leave this page and follow it under Activity.':
    'Noch ausstehend. Der Dienst hat deine Signatur. Du kannst die Seite verlassen und es unter Aktivität verfolgen.',
  '{elapsed} so far, {expected} on {network}': 'Bisher {elapsed}, {expected} in {network}',
  'User operation {code}': 'User Operation {code}',
  'Copy the hash of the user operation': 'Hash der User Operation kopieren',
  'It failed on the network': 'Es ist im Netzwerk fehlgeschlagen',
  'It was not included': 'Es wurde nicht aufgenommen',
  '{summary} on {network}.': '{summary}, in {network}.',
  '{reason} You paid only the network fee.': '{reason} Du hast nur die Netzwerkgebühr bezahlt.',
  'The network undid the calls.': 'Das Netzwerk hat die Aufrufe rückgängig gemacht.',
  '{reason} You can send it again.': '{reason} Du kannst es noch einmal senden.',
  'Nothing moved.': 'Nichts wurde bewegt.',
  '{summary} on {name}': '{summary}, in {name}',
  'This request expired.': 'Diese Anfrage ist abgelaufen.',
  'Nothing was signed. Review it again to see the current price.':
    'Nichts wurde signiert. Prüfe sie noch einmal, um den aktuellen Preis zu sehen.',
  'The service did not receive your signature.': 'Der Dienst hat deine Signatur nicht bekommen.',
  'Sign again': 'Noch einmal signieren',
  'Nothing was sent. Check your connection, then sign again.':
    'Nichts wurde gesendet. Prüfe deine Verbindung und signiere noch einmal.',
  'Review again': 'Noch einmal prüfen',
  Back: 'Zurück',
  'Arrives on': 'Kommt an in',
  'Fee, including network fees': 'Gebühr, mit Netzwerkgebühren',
  'Taken from your combined balance': 'Aus deinem Gesamtguthaben',
  'Sign within': 'Signieren innerhalb von',
  'First payment to this address.': 'Erste Zahlung an diese Adresse.',
  'You have not paid it from this browser before. Compare the whole address with the one that you were given.':
    'Von diesem Browser aus hast du sie noch nie bezahlt. Vergleiche die ganze Adresse mit der, die du bekommen hast.',
  'Nobody owns this address.': 'Diese Adresse gehört niemandem.',
  'What you send to the zero address is lost.': 'Was du an die Nulladresse sendest, ist verloren.',
  'This is the address of a contract, not of a person.':
    'Das ist die Adresse eines Contracts, nicht einer Person.',
  'What you send there is lost.': 'Was du dorthin sendest, ist verloren.',
  'This allows spending without a limit.': 'Das erlaubt Ausgaben ohne Grenze.',
  'The spender can take all of this token that you hold, now and later. Allow only the amount that is needed.':
    'Der Berechtigte kann alles von diesem Token nehmen, was du hast, jetzt und später. Erlaube nur den Betrag, der nötig ist.',
  'This allows somebody else to spend.': 'Damit darf jemand anderes ausgeben.',
  'The spender can take up to this amount without asking you again.':
    'Der Berechtigte kann bis zu diesem Betrag nehmen, ohne dich noch einmal zu fragen.',
  'This gives somebody else power over what you hold.':
    'Das gibt jemand anderem Macht über das, was du hast.',
  'They can move or use your tokens, NFTs or positions at this contract without asking you again. Check who gets it.':
    'Er kann deine Token, NFTs oder Positionen bei diesem Contract bewegen oder benutzen, ohne dich noch einmal zu fragen. Prüfe, wer sie bekommt.',
  'This moves tokens or NFTs out of your account.': 'Das bewegt Token oder NFTs aus deinem Konto.',
  'This wallet cannot say what they are. Check the contract, the recipient and the numbers.':
    'Diese Wallet kann nicht sagen, welche. Prüfe den Contract, den Empfänger und die Zahlen.',
  'This runs other calls that this wallet does not show.':
    'Das führt weitere Aufrufe aus, die diese Wallet nicht zeigt.',
  'They are hidden in the data, and one of them may give somebody else power over what you hold at this contract. Sign only what comes from an app that you trust.':
    'Sie stecken in den Daten, und einer davon kann jemand anderem Macht über das geben, was du bei diesem Contract hast. Signiere nur, was von einer App kommt, der du vertraust.',
  'Your service says': 'Dein Dienst sagt',
  'This wallet can’t check it. It may be incomplete.':
    'Diese Wallet kann das nicht prüfen. Es kann unvollständig sein.',
  'Nothing that you have changes, apart from the fee.':
    'Was du hast, ändert sich nicht, außer um die Gebühr.',
  'You get': 'Du bekommst',
  'You give': 'Du gibst',
  'May spend': 'Darf nehmen',
  '{amount}, by {spender}': '{spender}: {amount}',
  'any amount of {symbol}': '{symbol} ohne Grenze',
  'NFT {id} of {contract}': 'NFT {id} von {contract}',
  '{count} of NFT {id} of {contract}': '{count} Stück NFT {id} von {contract}',
  'everything in {contract}': 'alles in {contract}',
  '{amount} units of the unknown token {contract}': '{amount} Einheiten des unbekannten Tokens {contract}',
  'and {count} more': 'und {count} weitere',
  'The new owner can do everything.': 'Der neue Inhaber kann alles.',
  'It can spend all that the account holds on this network and remove your passkey. Add only a key that belongs to you.':
    'Er kann alles ausgeben, was das Konto in diesem Netzwerk hat, und deinen Passkey entfernen. Füge nur einen Schlüssel hinzu, der dir gehört.',
  'This changes your account itself.': 'Das ändert dein Konto selbst.',
  'Sign only if you know exactly what this function does. It can lock you out or give the account away.':
    'Signiere nur, wenn du genau weißt, was diese Funktion tut. Sie kann dich aussperren oder das Konto weggeben.',
  'The key may take more than you have here.': 'Der Schlüssel darf mehr nehmen, als du hier hast.',
  'An allowance is larger than what your account holds on this network. Whoever has the key could take all of it.':
    'Ein Rahmen ist größer als das, was dein Konto in diesem Netzwerk hat. Wer den Schlüssel hat, könnte alles davon nehmen.',
  'The key can send to anyone.': 'Der Schlüssel kann an jeden senden.',
  'Whoever holds it can send the whole allowance to themselves. Allow only as much as you would give away.':
    'Wer ihn hat, kann den ganzen Rahmen an sich selbst senden. Erlaube nur so viel, wie du verschenken würdest.',
  'The key can move tokens without a limit.': 'Der Schlüssel kann Token ohne Grenze bewegen.',
  'It may call a function that transfers what your account holds at this contract, and no allowance counts it.':
    'Er darf eine Funktion aufrufen, die überträgt, was dein Konto bei diesem Contract hat, und kein Rahmen zählt mit.',
  'No allowance limits what these calls move.': 'Kein Rahmen begrenzt, was diese Aufrufe bewegen.',
  'The key may call the functions with any arguments. Function names come from the app. Allow only contracts that you know.':
    'Der Schlüssel darf die Funktionen mit beliebigen Argumenten aufrufen. Ihre Namen kommen von der App. Erlaube nur Contracts, die du kennst.',
  'This wallet does not know one of the tokens.': 'Diese Wallet kennt einen der Token nicht.',
  'Its amounts are shown in base units, because nobody vouches for its name and decimals.':
    'Seine Beträge stehen in Basiseinheiten, weil niemand für Namen und Nachkommastellen bürgt.',
  'The key lasts longer than a month.': 'Der Schlüssel gilt länger als einen Monat.',
  'You can revoke it at any time. A shorter time is safer.':
    'Du kannst ihn jederzeit widerrufen. Eine kürzere Zeit ist sicherer.',
  'This name can be mistaken for another one.': 'Dieser Name ist leicht zu verwechseln.',
  'It looks like an address or mixes alphabets. Compare the whole address before you sign.':
    'Er sieht wie eine Adresse aus oder mischt Alphabete. Vergleiche die ganze Adresse, bevor du signierst.',
  'Grant a session key': 'Sitzungsschlüssel erteilen',
  'To the key': 'An den Schlüssel',
  'It can then do this without asking you, and nothing else:':
    'Er darf dann das tun, ohne dich zu fragen, und sonst nichts:',
  Contract: 'Contract',
  'Revoke a session key': 'Sitzungsschlüssel widerrufen',
  'This key can do nothing after that.': 'Danach kann dieser Schlüssel nichts mehr.',
  'Act with a session key': 'Mit einem Sitzungsschlüssel handeln',
  'Makes the session keys contract an owner of your account, so that it can check what the keys sign.':
    'Macht den Contract der Sitzungsschlüssel zu einem Inhaber deines Kontos, damit er prüfen kann, was die Schlüssel signieren.',
  'Makes it a module of your account, so that it can do what the limits allow.':
    'Macht ihn zu einem Modul deines Kontos, damit er tun kann, was die Grenzen erlauben.',
  'Removes the session keys contract from the owners of your account.':
    'Entfernt den Contract der Sitzungsschlüssel aus den Inhabern deines Kontos.',
  'Removes it from the modules. Your account is as it was before the first session key.':
    'Entfernt ihn aus den Modulen. Dein Konto ist wie vor dem ersten Sitzungsschlüssel.',
  Deposit: 'Einzahlen',
  'into the combined balance of': 'ins Gesamtguthaben von',
  'into your combined balance, held by this contract': 'in dein Gesamtguthaben, das dieser Contract hält',
  'Uses {amount} {symbol} that you deposited on this network, and takes {fee} {symbol} of the fee from there.':
    'Nimmt {amount} {symbol}, die du in diesem Netzwerk eingezahlt hast, und {fee} {symbol} der Gebühr von dort.',
  'Uses {amount} {symbol} that you deposited on this network.':
    'Nimmt {amount} {symbol}, die du in diesem Netzwerk eingezahlt hast.',
  'Move out of the combined balance': 'Aus dem Gesamtguthaben übertragen',
  'Uses your deposits on other networks.': 'Nimmt deine Einzahlungen in anderen Netzwerken.',
  'Removes a key’s right to spend the combined balance. This takes effect after a day.':
    'Nimmt einem Schlüssel das Recht, das Gesamtguthaben auszugeben. Das gilt nach einem Tag.',
  'Start withdrawal': 'Auszahlung beginnen',
  'It leaves your combined balance now. You can collect it on this network after seven days, and cancel until then.':
    'Der Betrag verlässt jetzt dein Gesamtguthaben. Du kannst ihn nach sieben Tagen in diesem Netzwerk abholen und bis dahin abbrechen.',
  'Cancel withdrawal': 'Auszahlung abbrechen',
  'The amount returns to your combined balance.': 'Der Betrag kehrt in dein Gesamtguthaben zurück.',
  'Collect your withdrawal': 'Auszahlung abholen',
  'Lets your passkey spend this deposit on other networks, too.':
    'Damit kann dein Passkey diese Einzahlung auch in anderen Netzwerken ausgeben.',
  'Lets a key spend your deposit on this network.':
    'Damit kann ein Schlüssel deine Einzahlung in diesem Netzwerk ausgeben.',
  Key: 'Schlüssel',
  'A signature is 0x and 130 hexadecimal digits.': 'Eine Signatur besteht aus 0x und 130 Hexadezimalziffern.',
  'This was signed by {signer}, or over another text. Sign the text above with the recovery key.':
    'Das hat {signer} signiert, oder es gehört zu einem anderen Text. Signiere den Text oben mit dem Wiederherstellungsschlüssel.',
  'This is not a signature of an Ethereum key.': 'Das ist keine Signatur eines Ethereum-Schlüssels.',
  'Remove from contacts': 'Aus den Kontakten entfernen',
  'Save as contact': 'Als Kontakt speichern',
  'Name of the contact': 'Name des Kontakts',
  Save: 'Speichern',
  Review: 'Prüfen',
  To: 'An',
  'An address, a contact or a username.': 'Eine Adresse, ein Kontakt oder ein Benutzername.',
  Recipients: 'Empfänger',
  'No name': 'Kein Name',
  '{count, plural, one {# suggestion} other {# suggestions}}':
    '{count, plural, one {# Vorschlag} other {# Vorschläge}}',
  Contact: 'Kontakt',
  'Paid before': 'Schon bezahlt',
  Username: 'Benutzername',
  'Paste the recipient': 'Empfänger einfügen',
  Paste: 'Einfügen',
  'An address is 0x and 40 hexadecimal digits.': 'Eine Adresse besteht aus 0x und 40 Hexadezimalziffern.',
  'An address has 40 digits after 0x; this has {count}.':
    'Eine Adresse hat 40 Ziffern nach 0x; diese hat {count}.',
  'The checksum is wrong: a character was mistyped. Copy the address again.':
    'Die Prüfsumme stimmt nicht: Ein Zeichen ist falsch. Kopiere die Adresse noch einmal.',
  'Enter an address or a username.': 'Gib eine Adresse oder einen Benutzernamen ein.',
  'Nobody here is called “{name}”. Check the spelling.':
    'Niemand hier heißt „{name}“. Prüfe die Schreibweise.',
  'App, as it calls itself': 'App, wie sie sich nennt',
  Signed: 'Signiert',
  Permanent: 'Unumkehrbar',
  Yes: 'Ja',
  'Not yet': 'Noch nicht',
  'Network {network}': 'Netzwerk {network}',
  Details: 'Einzelheiten',
  'Show older': 'Ältere zeigen',
  'an unknown token': 'ein unbekannter Token',
  'Received {what}': '{what} empfangen',
  'Received {what}, test money': '{what} empfangen, Testgeld',
  'Received {what}, newly issued': '{what} empfangen, neu ausgegeben',
  'Received {what} from the combined balance': '{what} aus dem Gesamtguthaben empfangen',
  'Received {what} from {sender}': '{what} von {sender} empfangen',
  'Network {chainId}': 'Netzwerk {chainId}',
  'before your account was deployed there': 'bevor dein Konto dort angelegt war',
  All: 'Alle',
  Sent: 'Gesendet',
  Received: 'Empfangen',
  'Combined balance': 'Gesamtguthaben',
  Show: 'Zeigen',
  'Loading your activity': 'Deine Aktivität wird geladen',
  '{outage}. What arrived there lately is missing below.': '{outage}. Was dort zuletzt ankam, fehlt unten.',
  'Export CSV': 'Als CSV exportieren',
  'There is nothing to export yet. A payment is in the file some minutes after it is final.':
    'Es gibt noch nichts zu exportieren. Eine Zahlung steht einige Minuten nach ihrem Abschluss in der Datei.',
  'No incoming transfers yet': 'Noch nichts empfangen',
  'No activity yet': 'Noch keine Aktivität',
  'Show my address': 'Meine Adresse zeigen',
  'Incoming transfers appear here.': 'Was ankommt, erscheint hier.',
  'What you send, receive and change appears here.': 'Was du sendest, empfängst und änderst, erscheint hier.',
  'They see your account’s address and can ask you to sign. They can’t move money.':
    'Sie sehen die Adresse deines Kontos und können dich bitten zu signieren. Geld können sie nicht bewegen.',
  'No app is connected': 'Keine App ist verbunden',
  'Apps that you connect in this browser appear here, and you can disconnect them.':
    'Apps, die du in diesem Browser verbindest, erscheinen hier, und du kannst sie trennen.',
  'Since {time}, last used {time2}': 'Seit {time}, zuletzt benutzt {time2}',
  'Disconnect {origin}': '{origin} trennen',
  Disconnect: 'Trennen',
  'You have {amount} {symbol} on {network}.': 'Du hast {amount} {symbol} in {network}.',
  'Your balance is unknown at the moment.': 'Dein Guthaben ist gerade nicht bekannt.',
  '{amount} {symbol} in your account on {network}': '{amount} {symbol} in deinem Konto in {network}',
  'Max: deposit all {symbol}': 'Max: alle {symbol} einzahlen',
  'Your deposits add up. You can spend the total on every network.':
    'Deine Einzahlungen werden zusammengezählt. Die Summe kannst du in jedem Netzwerk ausgeben.',
  'Loading the networks': 'Netzwerke werden geladen',
  'It counts as soon as it is final on the network. That takes seconds on some networks and up to 15 minutes on others.':
    'Es zählt, sobald es im Netzwerk endgültig ist. Das dauert in manchen Netzwerken Sekunden und in anderen bis zu 15 Minuten.',
  'See your balance': 'Guthaben ansehen',
  'Deposit more': 'Mehr einzahlen',
  'Send it to your own account': 'An dein eigenes Konto senden',
  'Without the operator: start below on each network where you deposited, wait seven days, then collect. Nobody can stop it. You cannot spend what you withdraw, and payments that you signed before can still use it. You can cancel until you collect. Each step is an ordinary transaction, so it also works without this wallet. Your recovery kit names the contracts.':
    'Ohne den Betreiber: Beginne unten in jedem Netzwerk, in dem du eingezahlt hast, warte sieben Tage und hol es dann ab. Niemand kann das aufhalten. Was du auszahlst, kannst du nicht ausgeben, und früher signierte Zahlungen können es noch nehmen. Bis zum Abholen kannst du abbrechen. Jeder Schritt ist eine gewöhnliche Transaktion und geht deshalb auch ohne diese Wallet. Dein Wiederherstellungs-Kit nennt die Contracts.',
  '{outage}. Your deposits there are not shown.': '{outage}. Deine Einzahlungen dort werden nicht gezeigt.',
  'Nothing deposited': 'Nichts eingezahlt',
  'You can withdraw your deposits here at any time.':
    'Hier kannst du deine Einzahlungen jederzeit auszahlen.',
  '{amount} deposited': '{amount} eingezahlt',
  'Waiting until your last step is final on the network.':
    'Warten, bis dein letzter Schritt im Netzwerk endgültig ist.',
  Ready: 'Bereit',
  Waiting: 'Wartet',
  '{amount}, ready since {time}': '{amount}, bereit seit {time}',
  '{amount}, ready on {time}': '{amount}, bereit am {time}',
  'Collect on {network}': 'Abholen in {network}',
  Collect: 'Abholen',
  'Cancel withdrawal on {network}': 'Auszahlung in {network} abbrechen',
  Withdraw: 'Auszahlen',
  'From the combined balance back to your account.': 'Aus dem Gesamtguthaben zurück in dein Konto.',
  'Loading your deposits': 'Deine Einzahlungen werden geladen',
  Continue: 'Weiter',
  'At most {amount} {symbol}.': 'Höchstens {amount} {symbol}.',
  'How much on {network}': 'Wie viel in {network}',
  'Max: withdraw all on {network}': 'Max: alles in {network} auszahlen',
  'Start withdrawal on {network}': 'Auszahlung beginnen in {network}',
  'Copy your address': 'Deine Adresse kopieren',
  'Compare this address first.': 'Vergleiche zuerst diese Adresse.',
  'This browser does not know your account and cannot derive its address from the passkey that you used. Check that your recovery kit names the same address before you receive anything.':
    'Dieser Browser kennt dein Konto nicht und kann seine Adresse nicht aus dem benutzten Passkey ableiten. Prüfe, ob dein Wiederherstellungs-Kit dieselbe Adresse nennt, bevor du etwas empfängst.',
  'QR code of your address': 'QR-Code deiner Adresse',
  '{amount} is reserved for pending payments.': '{amount} sind für ausstehende Zahlungen reserviert.',
  '{amount} is being withdrawn and ready on {time}.': '{amount} werden ausgezahlt und sind am {time} bereit.',
  'You can spend this only on this network for now. Your next deposit here lets your passkey spend it everywhere.':
    'Das kannst du vorerst nur in diesem Netzwerk ausgeben. Mit deiner nächsten Einzahlung hier kann dein Passkey es überall ausgeben.',
  'Get test money on {network}': 'Testgeld holen in {network}',
  'Get test money': 'Testgeld holen',
  'Test money arrived on {network}.': 'Testgeld ist in {network} angekommen.',
  'Not responding': 'Antwortet nicht',
  Unknown: 'Unbekannt',
  'Deposit from {network}': 'Einzahlen aus {network}',
  '{owner} is only partly removed.': '{owner} ist erst teilweise entfernt.',
  'An owner': 'Ein Inhaber',
  'It can still act for your account on {networks}. {link}':
    'Er kann in {networks} noch für dein Konto handeln. {link}',
  'Finish removing it': 'Entfernen abschließen',
  'On {where}, your passkey is the only key to this account.':
    'In {where} ist dein Passkey der einzige Schlüssel zu diesem Konto.',
  'Your passkey is the only key to this account.': 'Dein Passkey ist der einzige Schlüssel zu diesem Konto.',
  'If you lose it, you lose access to your funds there.':
    'Wenn du ihn verlierst, verlierst du dort den Zugriff auf dein Geld.',
  'If you lose it, you lose access to your funds.':
    'Wenn du ihn verlierst, verlierst du den Zugriff auf dein Geld.',
  'Add a second owner': 'Zweiten Inhaber hinzufügen',
  Receive: 'Empfangen',
  'Total balance': 'Guthaben insgesamt',
  '{symbol} by network': '{symbol} nach Netzwerk',
  '{outage}. What you have there is missing here.': '{outage}. Was du dort hast, fehlt hier.',
  'Not signed yet, or your signature has not reached the service. Nothing moves without it.':
    'Noch nicht signiert, oder deine Signatur ist nicht beim Dienst angekommen. Ohne sie bewegt sich nichts.',
  'Signed and sent. You can leave this page.': 'Signiert und gesendet. Du kannst die Seite verlassen.',
  'It has arrived. You do not need to do anything else.': 'Es ist angekommen. Du musst nichts weiter tun.',
  'It has arrived and is settled.': 'Es ist angekommen und abgerechnet.',
  'The payment failed on its network and was reversed.':
    'Die Zahlung ist in ihrem Netzwerk fehlgeschlagen und wurde rückgängig gemacht.',
  'It was not sent in time. Nothing moved. You can send it again.':
    'Sie wurde nicht rechtzeitig gesendet. Nichts wurde bewegt. Du kannst sie noch einmal senden.',
  '{amount} on {networks}': '{amount} in {networks}',
  Expires: 'Läuft ab',
  Payment: 'Zahlung',
  'Loading the payment': 'Zahlung wird geladen',
  'Send again': 'Noch einmal senden',
  'All payments': 'Alle Zahlungen',
  'Recovery address': 'Wiederherstellungsadresse',
  'Kind of owner': 'Art des Inhabers',
  'A passkey on another phone or a security key. It helps when you lose this device. Like the first, it works only at {hostname}.':
    'Ein Passkey auf einem anderen Telefon oder einem Sicherheitsschlüssel. Er hilft, wenn du dieses Gerät verlierst. Wie der erste funktioniert er nur unter {hostname}.',
  Name: 'Name',
  'So that you recognize it later.': 'Damit du ihn später erkennst.',
  'Enter a name first.': 'Gib zuerst einen Namen ein.',
  'Security key in the drawer': 'Sicherheitsschlüssel in der Schublade',
  'No passkey was created.': 'Es wurde kein Passkey erstellt.',
  'Waiting for the passkey…': 'Warten auf den Passkey…',
  'Create a passkey': 'Passkey erstellen',
  'The address of a hardware wallet, or of another key that you keep somewhere else. It works even if this service is gone. Whoever holds its key can spend everything.':
    'Die Adresse einer Hardware-Wallet oder eines anderen Schlüssels, den du woanders aufbewahrst. Sie funktioniert auch, wenn es diesen Dienst nicht mehr gibt. Wer ihren Schlüssel hat, kann alles ausgeben.',
  'Your account needs a network fee on {network}.': 'Dein Konto braucht in {network} eine Netzwerkgebühr.',
  'Try again on {network}': 'Noch einmal versuchen in {network}',
  'Owners now': 'Inhaber jetzt',
  Protection: 'Schutz',
  '{threshold} of {names} must sign for your new passkey. After that, an owner has {delay} to cancel.':
    '{threshold} von {names} müssen für deinen neuen Passkey signieren. Danach kann ein Inhaber {delay} lang abbrechen.',
  'You could not return to {networks}, where you have nothing yet.':
    'Du kämst in {networks} nicht zurück. Dort hast du noch nichts.',
  'Looking what you could lose': 'Es wird nachgesehen, was du verlieren könntest',
  'You could not return to this account, where you have nothing yet.':
    'Du kämst in dieses Konto nicht zurück. Noch hast du darin nichts.',
  'You lose {amounts} on {networks}.': 'Du verlierst {amounts} in {networks}.',
  'Who could get your account back on each network':
    'Wer dir dein Konto in jedem Netzwerk zurückgeben könnte',
  'Too few of your guardians can sign today. Below it says why, and what helps.':
    'Zu wenige deiner Wächter können heute signieren. Unten steht, warum, und was hilft.',
  'Also in your account': 'Außerdem in deinem Konto',
  'Granted by hand': 'Von Hand erteilt',
  'the key granted by hand': 'den von Hand erteilten Schlüssel',
  'See who they are': 'Sieh nach, wer sie sind',
  'Other guardians count on {networks}.': 'In {networks} gelten andere Wächter.',
  'Other guardians': 'Andere Wächter',
  'On {networks}, other people could give your account to a new passkey.':
    'In {networks} könnten andere Leute dein Konto einem neuen Passkey geben.',
  'End all session keys on {network}': 'Alle Sitzungsschlüssel in {network} beenden',
  'An owner who is not there any more may have granted some of them, and has not ended them.':
    'Ein Inhaber, der dort keiner mehr ist, hat vielleicht einige davon erteilt und nicht beendet.',
  'Session keys on {network}': 'Sitzungsschlüssel in {network}',
  'You sign once, for all networks: then your account has no guardians.':
    'Du signierst einmal für alle Netzwerke: Dann hat dein Konto keine Wächter.',
  'You sign once, for all networks: {threshold} of {names} stay your guardians, and no others.':
    'Du signierst einmal für alle Netzwerke: {threshold} von {names} bleiben deine Wächter, und keine anderen.',
  'Remove the other guardians on {networks}': 'Die anderen Wächter in {networks} entfernen',
  '{threshold} of {names} could give your account to another passkey.':
    '{threshold} von {names} könnten dein Konto einem anderen Passkey geben.',
  'Other guardians on {networks} from {time} on': 'Andere Wächter in {networks} ab dem {time}',
  'Other guardians on {networks}': 'Andere Wächter in {networks}',
  'New owners do not end these. Remove what you did not add yourself.':
    'Neue Inhaber beenden das nicht. Entferne, was du nicht selbst hinzugefügt hast.',
  'Which contracts may still spend your tokens cannot be listed here. Check the approvals of your account in an explorer.':
    'Welche Contracts deine Token noch ausgeben dürfen, lässt sich hier nicht auflisten. Prüfe die Freigaben deines Kontos in einem Explorer.',
  'Remove {address} on {network}': '{address} in {network} entfernen',
  'A module on {network}': 'Ein Modul in {network}',
  'A guard on {network}': 'Ein Guard in {network}',
  'Another fallback handler on {network}': 'Ein anderer Fallback-Handler in {network}',
  'This wallet does not know it. It can do anything with your account, without a signature.':
    'Diese Wallet kennt es nicht. Es kann alles mit deinem Konto tun, ohne eine Signatur.',
  'This wallet does not know it. It can refuse what your account does.':
    'Diese Wallet kennt ihn nicht. Er kann ablehnen, was dein Konto tut.',
  'This wallet does not know it. It decides which signatures of your account count.':
    'Diese Wallet kennt ihn nicht. Er entscheidet, welche Signaturen deines Kontos gelten.',
  'Removed the guard': 'Guard entfernt',
  'Remove the guard': 'Guard entfernen',
  'Restored the fallback handler': 'Fallback-Handler wiederhergestellt',
  'Restore the fallback handler': 'Fallback-Handler wiederherstellen',
  'Removed a module': 'Modul entfernt',
  'Remove a module': 'Modul entfernen',
  'This contract can no longer act for your account':
    'Dieser Contract kann nicht mehr für dein Konto handeln',
  'This contract can then no longer act for your account':
    'Dieser Contract kann dann nicht mehr für dein Konto handeln',
  'Without it, no contract refuses what your account does.':
    'Ohne ihn lehnt kein Contract ab, was dein Konto tut.',
  'The contract that your account began with decides which signatures count.':
    'Der Contract, mit dem dein Konto begann, entscheidet, welche Signaturen gelten.',
  'Once you are signed in, Protection shows what an earlier owner may have left in the account. Check in an explorer which contracts may still spend your tokens.':
    'Sobald du angemeldet bist, zeigt Schutz, was ein früherer Inhaber im Konto hinterlassen haben kann. Prüfe in einem Explorer, welche Contracts deine Token noch ausgeben dürfen.',
  'This recovery has ended.': 'Diese Wiederherstellung ist beendet.',
  'Your guardians cannot use their link any more. If you still need your account, start again and send them another one.':
    'Deine Wächter können ihren Link nicht mehr benutzen. Wenn du dein Konto noch brauchst, beginne neu und schicke ihnen einen anderen.',
  '{count, plural, one {This guardian alone} other {Each of these # guardians alone}} can recover your account, after {delay}.':
    '{count, plural, one {Dieser Wächter allein} other {Jeder dieser # Wächter allein}} kann dein Konto wiederherstellen. Wartezeit: {delay}.',
  '{names} must sign together for your new passkey. After that, an owner has {delay} to cancel.':
    '{names} müssen zusammen für deinen neuen Passkey signieren. Danach kann ein Inhaber {delay} lang abbrechen.',
  '{name} must sign for your new passkey. After that, an owner has {delay} to cancel.':
    '{name} muss für deinen neuen Passkey signieren. Danach kann ein Inhaber {delay} lang abbrechen.',
  'You have there': 'Du hast dort',
  Today: 'Heute',
  nothing: 'nichts',
  '{able} of {count} can sign': '{able} von {count} können signieren',
  'not known today': 'heute nicht bekannt',
  'Last time': 'Zuletzt',
  'not yet': 'noch nie',
  Passkey: 'Passkey',
  'Session keys contract': 'Contract der Sitzungsschlüssel',
  'You signed in with it': 'Damit bist du angemeldet',
  'On every network that responds': 'In jedem Netzwerk, das antwortet',
  'On every network': 'In jedem Netzwerk',
  'Only on {networks}': 'Nur in {networks}',
  'This owner is only partly removed. It can still act on {networks}.':
    'Dieser Inhaber ist erst teilweise entfernt. Er kann in {networks} noch handeln.',
  'Keep this owner': 'Inhaber behalten',
  'Acts only within the limits of your session keys. You can remove it when you revoke the last one.':
    'Handelt nur innerhalb der Grenzen deiner Sitzungsschlüssel. Du kannst ihn entfernen, wenn du den letzten widerrufst.',
  'Add it on the other networks': 'In den anderen Netzwerken hinzufügen',
  'Finish removing': 'Entfernen abschließen',
  Replace: 'Ersetzen',
  'Replace {owner}': '{owner} ersetzen',
  'Replace an owner': 'Inhaber ersetzen',
  'First choose what takes its place. Nothing changes before you sign.':
    'Wähle zuerst, was an seine Stelle tritt. Es ändert sich nichts, bevor du signierst.',
  'The new owner can act for your account on every network, and the old one on none.':
    'Der neue Inhaber kann in jedem Netzwerk für dein Konto handeln, der alte in keinem.',
  'You sign once, for all networks.': 'Du signierst einmal, für alle Netzwerke.',
  'You sign once for {networks}. On {others} your account cannot do that, so you sign there as well.':
    'Du signierst einmal für {networks}. In {others} kann dein Konto das nicht, darum signierst du dort auch.',
  'The change is on its way there.': 'Die Änderung ist dorthin unterwegs.',
  'Nothing has changed.': 'Es hat sich nichts geändert.',
  'All session keys end, also those that other owners granted.':
    'Alle Sitzungsschlüssel enden, auch die anderer Inhaber.',
  'The recovery that is running ends.': 'Die laufende Wiederherstellung endet.',
  'It also holds on networks that are added later.': 'Das gilt auch in Netzwerken, die später dazukommen.',
  'This owner is not on {networks}.': 'Dieser Inhaber ist keiner in {networks}.',
  'If it was removed by another app, the session keys that it granted may still work there.':
    'Wenn eine andere App ihn entfernt hat, funktionieren die Sitzungsschlüssel, die er erteilt hat, dort vielleicht noch.',
  'With your one signature': 'Mit deiner einen Signatur',
  'After the others': 'Nach den anderen',
  Remove: 'Entfernen',
  'Remove {owner}': '{owner} entfernen',
  'Protect all networks': 'Alle Netzwerke schützen',
  'This owner can act for your account on every network.':
    'Dieser Inhaber kann in jedem Netzwerk für dein Konto handeln.',
  'This owner cannot act for your account on any network.':
    'Dieser Inhaber kann in keinem Netzwerk für dein Konto handeln.',
  'Each network keeps its own list of owners, so you sign once on each. We take you through them.':
    'Jedes Netzwerk hat seine eigene Liste von Inhabern, darum signierst du in jedem einmal. Wir führen dich hindurch.',
  Networks: 'Netzwerke',
  'This owner can still sign on {networks}.': 'Dieser Inhaber kann in {networks} noch signieren.',
  'Sign there too. An account that is not deployed yet keeps its first owners until you change them.':
    'Signiere auch dort. Ein Konto, das noch nicht angelegt ist, behält seine ersten Inhaber, bis du sie änderst.',
  'Loading the owners': 'Inhaber werden geladen',
  'Start with {name}': 'Mit {name} beginnen',
  'Continue with {name}': 'Mit {name} weitermachen',
  'Finish later': 'Später fertig machen',
  'Back to the list': 'Zurück zur Liste',
  'You signed in with this passkey.': 'Mit diesem Passkey bist du angemeldet.',
  'Once it is removed, it no longer opens this account. Make sure that you can sign in with another owner first.':
    'Wenn er entfernt ist, öffnet er dieses Konto nicht mehr. Sorge zuerst dafür, dass du dich mit einem anderen Inhaber anmelden kannst.',
  'This is the last passkey.': 'Das ist der letzte Passkey.',
  'This wallet signs with passkeys. Without one, you can act only with your recovery address, on the recovery page.':
    'Diese Wallet signiert mit Passkeys. Ohne einen kannst du nur noch mit deiner Wiederherstellungsadresse handeln, auf der Wiederherstellungsseite.',
  'This is the last recovery address.': 'Das ist die letzte Wiederherstellungsadresse.',
  'Passkeys work only at {hostname}. If this site goes away, nobody can move your funds.':
    'Passkeys funktionieren nur unter {hostname}. Wenn es diese Seite nicht mehr gibt, kann niemand dein Geld bewegen.',
  'this site': 'dieser Seite',
  '{done} of {total} networks done': '{done} von {total} Netzwerken fertig',
  'Networks done': 'Fertige Netzwerke',
  'Any owner can act alone. With two, you can lose one and keep your account.':
    'Jeder Inhaber kann allein handeln. Mit zweien kannst du einen verlieren und behältst dein Konto.',
  'Your passkey works only at {hostname}. If you lose it, or this site goes away, nobody can move your funds. Add a second owner.':
    'Dein Passkey funktioniert nur unter {hostname}. Wenn du ihn verlierst oder es diese Seite nicht mehr gibt, kann niemand dein Geld bewegen. Füge einen zweiten Inhaber hinzu.',
  '{outage}. Owners there are not shown.': '{outage}. Inhaber dort werden nicht gezeigt.',
  'Show that you hold this key': 'Zeige, dass du diesen Schlüssel hast',
  'Sign a short text with it. The signature moves nothing: it shows that the key exists.':
    'Signiere damit einen kurzen Text. Die Signatur bewegt nichts: Sie zeigt, dass es den Schlüssel gibt.',
  'Sign with {wallet}': 'Mit {wallet} signieren',
  'Text to sign': 'Text zum Signieren',
  'Copy the text to sign': 'Text zum Signieren kopieren',
  Signature: 'Signatur',
  'In the wallet that holds the key, choose “Sign message” and paste the result.':
    'Wähle in der Wallet mit dem Schlüssel „Nachricht signieren“ und füge das Ergebnis ein.',
  'The wallet did not sign. Try again, or paste a signature.':
    'Die Wallet hat nicht signiert. Versuch es noch einmal, oder füge eine Signatur ein.',
  'Check and continue': 'Prüfen und weiter',
  'This owner cannot sign here': 'Dieser Inhaber kann hier nicht signieren',
  'Without a proof, a mistake is final.': 'Ohne Nachweis ist ein Fehler endgültig.',
  'A contract, such as another Safe, has no key that signs a text. If the address is wrong, nobody can recover the account with it, or somebody else can take everything.':
    'Ein Contract, zum Beispiel ein anderer Safe, hat keinen Schlüssel, der einen Text signiert. Wenn die Adresse falsch ist, kann niemand das Konto damit wiederherstellen, oder jemand anderes kann alles nehmen.',
  'Add it without a proof': 'Ohne Nachweis hinzufügen',
  'Recovery kit': 'Wiederherstellungs-Kit',
  'Not saved from this browser yet.': 'Aus diesem Browser noch nicht gespeichert.',
  'Saved on {time}': 'Gespeichert am {time}',
  'A small file that describes your account. With it, an owner can move everything out even if this service is gone. It contains no secret. Save it together with the {link}, which is also one file. A passkey works only on this site’s address. A recovery address works anywhere. A network that is added later starts with your first passkey alone, so come back then.':
    'Eine kleine Datei, die dein Konto beschreibt. Mit ihr kann ein Inhaber alles herausholen, auch wenn es diesen Dienst nicht mehr gibt. Sie enthält kein Geheimnis. Bewahre sie zusammen mit der {link} auf, die auch eine einzige Datei ist. Ein Passkey funktioniert nur unter der Adresse dieser Seite, eine Wiederherstellungsadresse überall. Ein Netzwerk, das später dazukommt, beginnt nur mit deinem ersten Passkey: Komm dann wieder.',
  'recovery page': 'Wiederherstellungsseite',
  'Download the kit': 'Kit herunterladen',
  'Checked on this device: the file describes your account.':
    'Auf diesem Gerät geprüft: Die Datei beschreibt dein Konto.',
  'Preparing…': 'Wird vorbereitet…',
  'Cancel on {name}': 'Abbrechen in {name}',
  'Waiting for your signature': 'Wartet auf deine Signatur',
  'Review on {name}': 'Prüfen in {name}',
  'Not prepared': 'Nicht vorbereitet',
  'One address for every network of this service.': 'Eine Adresse für jedes Netzwerk dieses Dienstes.',
  'Request an amount': 'Betrag anfordern',
  'The QR code above then asks the payer’s wallet for exactly this.':
    'Der QR-Code oben bittet die Wallet des Zahlers dann um genau das.',
  '{amount} {symbol} available; the amount leaves enough for the fee':
    '{amount} {symbol} verfügbar; der Betrag lässt genug für die Gebühr',
  '{amount} {symbol} available': '{amount} {symbol} verfügbar',
  'Max: send all {symbol}': 'Max: alle {symbol} senden',
  Function: 'Funktion',
  'As in the contract’s documentation. Leave it empty to enter call data.':
    'Wie in der Dokumentation des Contracts. Lass das Feld leer, um Aufrufdaten einzugeben.',
  'transfer(address,uint256)': 'transfer(address,uint256)',
  'Argument {index}': 'Argument {index}',
  'Call data': 'Aufrufdaten',
  'You have {amount} {symbol} on this network.': 'Du hast {amount} {symbol} in diesem Netzwerk.',
  'Enter call data as 0x and hexadecimal digits, or a function above.':
    'Gib Aufrufdaten als 0x und Hexadezimalziffern ein, oder oben eine Funktion.',
  'This is your own address. You would only pay the fee.':
    'Das ist deine eigene Adresse. Du würdest nur die Gebühr bezahlen.',
  'This is the address of the {symbol} contract, not of a person. What you send there is lost.':
    'Das ist die Adresse des {symbol}-Contracts, nicht einer Person. Was du dorthin sendest, ist verloren.',
  'This service has no networks.': 'Dieser Dienst hat keine Netzwerke.',
  'Contract call': 'Contract-Aufruf',
  'See activity': 'Aktivität ansehen',
  'Send {symbol}': '{symbol} senden',
  '{symbol} at most': '{symbol}, höchstens',
  '{symbol}: how often': '{symbol}: wie oft',
  '{symbol}: sent to': '{symbol}: gesendet an',
  '{symbol}: recipients': '{symbol}: Empfänger',
  'One address per line.': 'Eine Adresse pro Zeile.',
  'Contract {number}': 'Contract {number}',
  'Call contract {number}': 'Contract {number} aufrufen',
  'Remove contract {number}': 'Contract {number} entfernen',
  'Address of contract {number}': 'Adresse von Contract {number}',
  'Functions of contract {number}': 'Funktionen von Contract {number}',
  'One per line, with any arguments. No allowance limits what they move.':
    'Eine pro Zeile, mit beliebigen Argumenten. Kein Rahmen begrenzt, was sie bewegen.',
  'mint(address,uint256)': 'mint(address,uint256)',
  '{symbol} with each call of contract {number}, at most':
    '{symbol} mit jedem Aufruf von Contract {number}, höchstens',
  'Leave empty for none.': 'Leer lassen für keine.',
  'Grant a session key by hand': 'Sitzungsschlüssel von Hand erteilen',
  'This key already has access on {network}.': 'Dieser Schlüssel hat in {network} schon Zugriff.',
  'The new limits replace the old ones.': 'Die neuen Grenzen ersetzen die alten.',
  'Overall limits': 'Grenzen insgesamt',
  Duration: 'Dauer',
  'Network fees in total, at most': 'Netzwerkgebühren insgesamt, höchstens',
  'Transactions, at most': 'Transaktionen, höchstens',
  'Only the addresses below': 'Nur die Adressen unten',
  Anyone: 'Alle',
  'Nobody, only the calls below': 'Niemand, nur die Aufrufe unten',
  'It may': 'Er darf',
  'No app can act for you': 'Keine App kann für dich handeln',
  'A session key lets an app, such as a game, a subscription or an agent, act for your account. The app sends you a link. You see what it may do, how much it may spend and until when, and sign once.':
    'Mit einem Sitzungsschlüssel kann eine App, etwa ein Spiel, ein Abo oder ein Agent, für dein Konto handeln. Die App schickt dir einen Link. Du siehst, was sie darf, wie viel sie ausgeben darf und bis wann, und signierst einmal.',
  'The network rejects everything beyond the limits, whoever holds the key.':
    'Das Netzwerk lehnt alles jenseits der Grenzen ab, egal wer den Schlüssel hat.',
  'A session key never reaches your owners, your combined balance or other session keys.':
    'Ein Sitzungsschlüssel kommt nie an deine Inhaber, dein Gesamtguthaben oder andere Sitzungsschlüssel.',
  'You can revoke it at any time with one signature.':
    'Du kannst ihn jederzeit mit einer Signatur widerrufen.',
  'The session keys contract is not audited yet. Keep the limits small.':
    'Der Contract der Sitzungsschlüssel ist noch nicht auditiert. Halte die Grenzen klein.',
  'Grant by hand': 'Von Hand erteilen',
  'Session key request': 'Anfrage nach einem Sitzungsschlüssel',
  'This link cannot be used.': 'Dieser Link ist nicht verwendbar.',
  'See your session keys': 'Deine Sitzungsschlüssel ansehen',
  '{message} Nothing was changed. Ask the app for a new link, and only if you trust it.':
    '{message} Nichts wurde geändert. Bitte die App um einen neuen Link, und nur, wenn du ihr vertraust.',
  'Back to {host}': 'Zurück zu {host}',
  'An app that claims to be “{request}” asks to act for you':
    'Eine App, die behauptet, „{request}“ zu sein, möchte für dich handeln',
  'It claims to be at {origin} · {network}': 'Sie behauptet, von {origin} zu sein · {network}',
  'Did you just come from this app?': 'Kommst du gerade von dieser App?',
  'Anyone can write such a link under any name and address, and the wallet cannot check who did. Go on only if you started this yourself.':
    'Jeder kann so einen Link unter beliebigem Namen und beliebiger Adresse schreiben, und die Wallet kann nicht prüfen, wer es war. Mach nur weiter, wenn du selbst damit angefangen hast.',
  Limits: 'Grenzen',
  'It may do this without asking you, and nothing else':
    'Sie darf das tun, ohne dich zu fragen, und sonst nichts',
  'Up to, {period}': 'Bis zu, {period}',
  'You have {amount} {symbol}': 'Du hast {amount} {symbol}',
  Ends: 'Endet',
  'Back to session keys': 'Zurück zu den Sitzungsschlüsseln',
  Preparing: 'Wird vorbereitet',
  'Ended before their time': 'Vorzeitig beendet',
  'When an owner leaves, all session keys end. Renew those that you still want.':
    'Wenn ein Inhaber geht, enden alle Sitzungsschlüssel. Erneuere die, die du noch willst.',
  '{origin} on {network}': '{origin} in {network}',
  Renew: 'Erneuern',
  'Renew {name} on {network}': '{name} in {network} erneuern',
  Forget: 'Vergessen',
  'Forget {name} on {network}': '{name} in {network} vergessen',
  'All session keys ended.': 'Alle Sitzungsschlüssel sind beendet.',
  'Renew session keys': 'Sitzungsschlüssel erneuern',
  'Renew those that you still want: apps can then act for you again.':
    'Erneuere die, die du noch willst: Dann können Apps wieder für dich handeln.',
  'Revoke a session key on {network}': 'Sitzungsschlüssel in {network} widerrufen',
  'The key stops working as soon as this is included in a block. Its pending transactions then fail.':
    'Der Schlüssel funktioniert nicht mehr, sobald das in einem Block ist. Seine ausstehenden Transaktionen schlagen dann fehl.',
  'It is the last one here, so you can remove the session keys contract from your account, too.':
    'Es ist der letzte hier. Du kannst deshalb auch den Contract der Sitzungsschlüssel aus deinem Konto entfernen.',
  'Revoke and remove the contract': 'Widerrufen und Contract entfernen',
  'Revoke only': 'Nur widerrufen',
  'This browser cannot keep keys because its storage is blocked.':
    'Dieser Browser kann keine Schlüssel aufbewahren, weil sein Speicher gesperrt ist.',
  'Created in this browser. It cannot leave it.': 'In diesem Browser erstellt. Er kann ihn nicht verlassen.',
  'An address, or a public key that begins with 0x04. Apps send a link instead.':
    'Eine Adresse, oder ein öffentlicher Schlüssel, der mit 0x04 beginnt. Apps schicken stattdessen einen Link.',
  'Session key': 'Sitzungsschlüssel',
  'Create one here to try it': 'Zum Ausprobieren hier einen erstellen',
  Transactions: 'Transaktionen',
  '{outage}. Session keys there are not shown.': '{outage}. Sitzungsschlüssel dort werden nicht gezeigt.',
  Active: 'Aktiv',
  'Not active yet': 'Noch nicht aktiv',
  'Key in this browser': 'Schlüssel in diesem Browser',
  'This is what the app calls itself: {origin}. Nobody checked it.':
    'So nennt sich die App selbst: {origin}. Niemand hat es geprüft.',
  'What it may do': 'Was er darf',
  'Try it': 'Ausprobieren',
  'Revoke session key {key} on {network}': 'Sitzungsschlüssel {key} in {network} widerrufen',
  Revoke: 'Widerrufen',
  'Let an app act for you within limits that you sign. The network enforces them.':
    'Lass eine App innerhalb von Grenzen, die du signierst, für dich handeln. Das Netzwerk setzt sie durch.',
  'No session keys here': 'Hier gibt es keine Sitzungsschlüssel',
  'None of this service’s networks supports them.': 'Kein Netzwerk dieses Dienstes unterstützt sie.',
  'Loading your session keys': 'Deine Sitzungsschlüssel werden geladen',
  'What the key sends': 'Was der Schlüssel sendet',
  'Recipient of the key’s payment': 'Empfänger der Zahlung des Schlüssels',
  'Amount of the key’s payment': 'Betrag der Zahlung des Schlüssels',
  'Send with the session key': 'Mit dem Sitzungsschlüssel senden',
  'Sent without your passkey.': 'Ohne deinen Passkey gesendet.',
  'Included in a block, but the call failed.':
    'In einem Block enthalten, aber der Aufruf ist fehlgeschlagen.',
  'No combined balance here': 'Hier gibt es kein Gesamtguthaben',
  'Send from one network': 'Aus einem Netzwerk senden',
  'None of this service’s networks supports it. You can still send from each network.':
    'Kein Netzwerk dieses Dienstes unterstützt es. Du kannst weiter aus jedem Netzwerk senden.',
  Price: 'Preis',
  'Recipient gets': 'Empfänger bekommt',
  'You pay': 'Du bezahlst',
  'Price valid for': 'Preis gilt noch',
  'Use {amount} {symbol}': '{amount} {symbol} nehmen',
  '{amount} {symbol} in your combined balance': '{amount} {symbol} in deinem Gesamtguthaben',
  'The amount is': 'Der Betrag ist',
  'What the recipient gets': 'Was der Empfänger bekommt',
  'What I pay, including the fee': 'Was ich bezahle, mit Gebühr',
  'To my own account': 'An mein eigenes Konto',
  'This is your own address: the money moves to your account on {network}.':
    'Das ist deine eigene Adresse: Das Geld kommt in dein Konto in {network}.',
  'This is the address of a contract, not of a person. What you send there is lost.':
    'Das ist die Adresse eines Contracts, nicht einer Person. Was du dorthin sendest, ist verloren.',
  'Follow the payment': 'Zahlung verfolgen',
  'Choose a username first.': 'Wähle zuerst einen Benutzernamen.',
  'Sign in instead': 'Stattdessen anmelden',
  'No account was created.': 'Es wurde kein Konto angelegt.',
  'Waiting for your passkey…': 'Warten auf deinen Passkey…',
  'Create with a passkey': 'Mit einem Passkey anlegen',
  'Others can find you by this name and send you money.':
    'Andere können dich unter diesem Namen finden und dir Geld senden.',
  'Checking…': 'Wird geprüft…',
  Available: 'Verfügbar',
  'No password, no seed phrase.': 'Kein Passwort, keine Wörterliste.',
  'Your fingerprint, face or PIN unlocks a key that stays on your device.':
    'Dein Fingerabdruck, Gesicht oder deine PIN öffnet einen Schlüssel, der auf deinem Gerät bleibt.',
  'One address everywhere.': 'Überall dieselbe Adresse.',
  'The same account on every network of this service.': 'Dasselbe Konto in jedem Netzwerk dieses Dienstes.',
  'Checked before you sign.': 'Geprüft, bevor du signierst.',
  'This page recomputes what your passkey signs. The service can never spend for you.':
    'Diese Seite rechnet nach, was dein Passkey signiert. Der Dienst kann nie für dich ausgeben.',
  'A wallet that only you can sign for.': 'Eine Wallet, für die nur du signieren kannst.',
  'No password and no seed phrase: a passkey on this device.':
    'Kein Passwort und keine Wörterliste: ein Passkey auf diesem Gerät.',
  'Or by username': 'Oder mit Benutzername',
  'Enter your username first.': 'Gib zuerst deinen Benutzernamen ein.',
  'You are not signed in.': 'Du bist nicht angemeldet.',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  'Your device shows the accounts that you have here.': 'Dein Gerät zeigt die Konten, die du hier hast.',
  'This name is not available. {reason}': 'Dieser Name ist nicht verfügbar. {reason}',
  'Create account': 'Konto anlegen',
  'An app asks for a session key.': 'Eine App bittet um einen Sitzungsschlüssel.',
  'Sign in, and this page shows what it asks for. Nothing is granted before you sign.':
    'Melde dich an, dann zeigt diese Seite, worum sie bittet. Nichts wird erteilt, bevor du signierst.',
  'This browser cannot use passkeys here.': 'Dieser Browser kann hier keine Passkeys benutzen.',
  'Use a current browser, over HTTPS or at http://localhost.':
    'Nimm einen aktuellen Browser, über HTTPS oder unter http://localhost.',
  'Create an account or sign in': 'Konto anlegen oder anmelden',
  'Base units of {address}': 'Basiseinheiten von {address}',
  'This amount is larger than a limit can be.': 'Dieser Betrag ist größer, als eine Grenze sein kann.',
  'Enter more than zero.': 'Gib mehr als null ein.',
  'This is not an amount.': 'Das ist kein Betrag.',
  'This number is too small or too large.': 'Diese Zahl ist zu klein oder zu groß.',
  'This is not an address, or a letter in it is wrong.':
    'Das ist keine Adresse, oder ein Buchstabe darin ist falsch.',
  'This list is missing.': 'Diese Liste fehlt.',
  'This is not a function such as transfer(address,uint256).':
    'Das ist keine Funktion wie transfer(address,uint256).',
  'This wallet does not know this kind of permission.': 'Diese Wallet kennt diese Art von Erlaubnis nicht.',
  'This value is not valid.': 'Dieser Wert ist ungültig.',
  'That is more than is left of the key’s allowance.':
    'Das ist mehr, als vom Rahmen des Schlüssels übrig ist.',
  'The session key does not allow this.': 'Der Sitzungsschlüssel erlaubt das nicht.',
  'No session key can do this.': 'Das kann kein Sitzungsschlüssel.',
  'The session key does not allow sending that much at once.':
    'Der Sitzungsschlüssel erlaubt nicht, so viel auf einmal zu senden.',
  'The session key has used all of its transactions.':
    'Der Sitzungsschlüssel hat alle seine Transaktionen verbraucht.',
  'Network fees are higher now than the session key allows.':
    'Die Netzwerkgebühren sind jetzt höher, als der Sitzungsschlüssel erlaubt.',
  'This session key was revoked.': 'Dieser Sitzungsschlüssel wurde widerrufen.',
  'The session key is not valid at this time.': 'Der Sitzungsschlüssel ist gerade nicht gültig.',
  'The session key allows this, but it would fail on the network.':
    'Der Sitzungsschlüssel erlaubt das, aber es würde im Netzwerk fehlschlagen.',
  'Nothing was sent. Stay within the limits, or grant a key that allows more.':
    'Nichts wurde gesendet. Bleib innerhalb der Grenzen, oder erteile einen Schlüssel, der mehr erlaubt.',
  'Shared evenly among the transactions.': 'Gleichmäßig auf die Transaktionen verteilt.',
  '{text} for each transaction': '{text} für jede Transaktion',
  'Only {each}; one costs up to {text} now.': 'Nur {each}; eine kostet jetzt bis zu {text}.',
  '{each}, where one costs up to {text} now.': '{each}; eine kostet jetzt bis zu {text}.',
  'P-256 key {code}': 'P-256-Schlüssel {code}',
  'Enter the key that the app shows.': 'Gib den Schlüssel ein, den die App zeigt.',
  'A character was mistyped. Copy the key again.':
    'Ein Zeichen ist falsch. Kopiere den Schlüssel noch einmal.',
  'A public key is 0x04 and 128 hexadecimal digits; an address has 40 after 0x.':
    'Ein öffentlicher Schlüssel besteht aus 0x04 und 128 Hexadezimalziffern; eine Adresse hat 40 nach 0x.',
  'every hour': 'jede Stunde',
  'every day': 'jeden Tag',
  'every week': 'jede Woche',
  'in total': 'insgesamt',
  '1 hour': '1 Stunde',
  '1 day': '1 Tag',
  '1 week': '1 Woche',
  '30 days': '30 Tage',
  'every {seconds} seconds': 'alle {seconds} Sekunden',
  'Name at least one address.': 'Nenne mindestens eine Adresse.',
  'Enter the contract’s address.': 'Gib die Adresse des Contracts ein.',
  'Name at least one function, such as mint(address,uint256).':
    'Nenne mindestens eine Funktion, zum Beispiel mint(address,uint256).',
  'Choose at least one thing that the key may do.': 'Wähle mindestens eine Sache, die der Schlüssel darf.',
  'Enter more than zero: each operation has a fee.':
    'Gib mehr als null ein: Jede Transaktion hat eine Gebühr.',
  'Enter a whole number from 1 on.': 'Gib eine ganze Zahl ab 1 ein.',
  'No end': 'Kein Ende',
  'It has no request.': 'Er enthält keine Anfrage.',
  'It is too long.': 'Er ist zu lang.',
  'It is damaged. Perhaps a part of it is missing.': 'Er ist beschädigt. Vielleicht fehlt ein Teil davon.',
  'It is made for another version of this wallet.': 'Er ist für eine andere Version dieser Wallet gemacht.',
  'It asks for something that this wallet does not know: {name}.':
    'Er bittet um etwas, das diese Wallet nicht kennt: {name}.',
  'It does not say which app asks.': 'Er sagt nicht, welche App bittet.',
  'It does not say which site asks.': 'Er sagt nicht, welche Seite bittet.',
  'It names no network.': 'Er nennt kein Netzwerk.',
  'Its session key is not valid.': 'Sein Sitzungsschlüssel ist ungültig.',
  'It does not last between a minute and a year.': 'Er gilt nicht zwischen einer Minute und einem Jahr.',
  'They cannot be read.': 'Sie sind nicht lesbar.',
  'Permission {number}: {text}': 'Erlaubnis {number}: {text}',
  'Until {time}.': 'Bis {time}.',
  'No connection.': 'Keine Verbindung.',
  'You see the state of {time}. We keep trying.': 'Du siehst den Stand von {time}. Wir versuchen es weiter.',
  'Skip to content': 'Zum Inhalt springen',
  Main: 'Hauptmenü',
  'Sign out': 'Abmelden',
  'This page could not be loaded.': 'Diese Seite konnte nicht geladen werden.',
  Reload: 'Neu laden',
  'Check your connection, then reload. If the wallet was updated, a reload gets the new version. Payments that you signed are under Activity.':
    'Prüfe deine Verbindung und lade dann neu. Wenn die Wallet aktualisiert wurde, bekommst du so die neue Version. Zahlungen, die du signiert hast, stehen unter Aktivität.',
  Loading: 'Wird geladen',
  'This page opens as soon as you are connected.': 'Diese Seite öffnet sich, sobald du verbunden bist.',
  'Payments under way': 'Laufende Zahlungen',
  'The service has not received your signature': 'Der Dienst hat deine Signatur nicht bekommen',
  'Included in a block': 'In einem Block enthalten',
  '{elapsed} so far': 'bisher {elapsed}',
  Hide: 'Ausblenden',
  Home: 'Start',
  Activity: 'Aktivität',
  Owners: 'Inhaber',
  'Session keys': 'Sitzungsschlüssel',
  'Connected apps': 'Verbundene Apps',
  'You can send up to {amount}. For more, deposit first.':
    'Du kannst bis zu {amount} senden. Für mehr zahle zuerst ein.',
  'Your combined balance does not cover the fee of a payment.':
    'Dein Gesamtguthaben reicht nicht für die Gebühr einer Zahlung.',
  'Deposit first. A new deposit counts once it is final on its network.':
    'Zahle zuerst ein. Eine neue Einzahlung zählt, sobald sie in ihrem Netzwerk endgültig ist.',
  'The operator can advance only {amount} on this network now.':
    'Der Betreiber kann in diesem Netzwerk gerade nur {amount} vorstrecken.',
  'You can send {amount} here. For more, choose another network or try again later.':
    'Hier kannst du {amount} senden. Für mehr wähle ein anderes Netzwerk, oder versuch es später noch einmal.',
  'The operator can advance nothing on this network now.':
    'Der Betreiber kann in diesem Netzwerk gerade nichts vorstrecken.',
  'Choose another network, or try again later. Your deposits are not affected.':
    'Wähle ein anderes Netzwerk, oder versuch es später noch einmal. Deine Einzahlungen sind nicht betroffen.',
  'Review the payment again.': 'Prüfe die Zahlung noch einmal.',
  'The fee would be {amount}, more than the contract allows.':
    'Die Gebühr wäre {amount}, mehr als der Contract erlaubt.',
  'Network fees are unusually high. Wait until they fall, or choose another network.':
    'Die Netzwerkgebühren sind ungewöhnlich hoch. Warte, bis sie fallen, oder wähle ein anderes Netzwerk.',
  'The fee would take all of it.': 'Die Gebühr würde alles aufbrauchen.',
  'At least {amount} is needed.': 'Mindestens {amount} sind nötig.',
  Steps: 'Schritte',
  done: 'erledigt',
  failed: 'fehlgeschlagen',
  'not needed': 'nicht nötig',
  Arrived: 'Angekommen',
  'Waits for your signature': 'Wartet auf deine Signatur',
  'Failed on the network; only the network fee is due':
    'Im Netzwerk fehlgeschlagen; nur die Netzwerkgebühr fällt an',
  'Expired; nothing moved': 'Abgelaufen; nichts wurde bewegt',
  'Waits until it is final, to be confirmed': 'Wartet, bis es endgültig ist, um bestätigt zu werden',
  Confirmed: 'Bestätigt',
  'Confirmed once it is final': 'Wird bestätigt, sobald es endgültig ist',
  'Nothing to confirm': 'Nichts zu bestätigen',
  'Not taken': 'Nicht genommen',
  Reserved: 'Reserviert',
  Collecting: 'Wird eingezogen',
  Collected: 'Eingezogen',
  'Collected in part; the rest was not there': 'Teilweise eingezogen; der Rest war nicht da',
  'Not taken; it was not there in time': 'Nicht genommen; es war nicht rechtzeitig da',
  'Not signed': 'Nicht signiert',
  Settled: 'Abgerechnet',
  Failed: 'Fehlgeschlagen',
  Expired: 'Abgelaufen',
  'Paid from': 'Bezahlt aus',
  'from {networks}': 'aus {networks}',
  'Not final yet': 'Noch nicht endgültig',
  '{step} on {name}. It counts once it is final on the network.':
    '{step} in {name}. Es zählt, sobald es im Netzwerk endgültig ist.',
  'You deposited {amount} {symbol}': 'Du hast {amount} {symbol} eingezahlt',
  'You started to withdraw {amount} {symbol}': 'Du hast begonnen, {amount} {symbol} auszuzahlen',
  'You cancelled a withdrawal': 'Du hast eine Auszahlung abgebrochen',
  'You collected a withdrawal': 'Du hast eine Auszahlung abgeholt',
  'Nothing was signed.': 'Nichts wurde signiert.',
  'Try again': 'Noch einmal versuchen',
  'Request {code}': 'Anfrage {code}',
  Cancel: 'Abbrechen',
  'Is that {whole} or {fraction}? Use “{mark}” for decimals.':
    'Ist das {whole} oder {fraction}? Nimm „{mark}“ für Nachkommastellen.',
  'Enter a number such as {example}.': 'Gib eine Zahl wie {example} ein.',
  'a JSON array of {element}': 'ein JSON-Array aus {element}',
  'a JSON object or array': 'ein JSON-Objekt oder -Array',
  'an address: 0x and 40 hexadecimal digits, with a correct checksum':
    'eine Adresse: 0x und 40 Hexadezimalziffern, mit richtiger Prüfsumme',
  'usually about {minutes} min': 'meist etwa {minutes} min',
  Support: 'Hilfe',
  Terms: 'Bedingungen',
  Privacy: 'Datenschutz',
  Imprint: 'Impressum',
  'Speed up': 'Beschleunigen',
  'Cancel payment': 'Zahlung abbrechen',
  'Speed up payment': 'Zahlung beschleunigen',
  'This payment is not pending any more': 'Diese Zahlung steht nicht mehr aus',
  'Only a payment that you signed in this tab, and that is not in a block yet, can be replaced.':
    'Nur eine Zahlung, die du in diesem Tab signiert hast und die noch in keinem Block ist, lässt sich ersetzen.',
  'This takes the place of: {summary}': 'Das ersetzt: {summary}',
  'This cancels: {summary}': 'Das bricht ab: {summary}',
  'The calls stay the same. Only one of the two can be included.':
    'Die Aufrufe bleiben gleich. Nur eine der beiden kann aufgenommen werden.',
  'It moves nothing and costs only the network fee. If the first one is included before it, that one counts.':
    'Es bewegt nichts und kostet nur die Netzwerkgebühr. Wenn die erste vorher aufgenommen wird, zählt sie.',
  'Network fee so far, at most': 'Netzwerkgebühr bisher, höchstens',
  'The first transaction is already in a block, or has ended.':
    'Die erste Transaktion ist schon in einem Block oder beendet.',
  'You can see its outcome under Activity.': 'Was daraus wurde, siehst du unter Aktivität.',
  'The service built a transaction that would not take the place of the first one.':
    'Der Dienst hat eine Transaktion gebaut, die die erste nicht ersetzen würde.',
  'Your sign-in has ended.': 'Deine Anmeldung ist abgelaufen.',
  'Continue as {username}': 'Weiter als {username}',
  'Sign in again, and you are where you were.': 'Melde dich wieder an, und du bist, wo du warst.',
  'Twelve words that you write down or save. They work even if this service is gone. Whoever has them can spend everything.':
    'Zwölf Wörter, die du aufschreibst oder speicherst. Sie funktionieren auch, wenn es diesen Dienst nicht mehr gibt. Wer sie hat, kann alles ausgeben.',
  'Make a recovery key': 'Wiederherstellungsschlüssel erzeugen',
  'Keep these words where nobody else finds them.': 'Bewahre diese Wörter auf, wo niemand sonst sie findet.',
  'They were made on this device, and nobody else has them. They are not shown again.':
    'Sie sind auf diesem Gerät entstanden, und niemand sonst hat sie. Sie werden nicht noch einmal gezeigt.',
  'Recovery key': 'Wiederherstellungsschlüssel',
  'I have kept them': 'Ich habe sie aufbewahrt',
  'Save as a file': 'Als Datei speichern',
  'Type two of the words, to be sure that you have them.':
    'Tippe zwei der Wörter, damit sicher ist, dass du sie hast.',
  'Word {place}': 'Wort {place}',
  'This is another word. Look at what you kept.':
    'Das ist ein anderes Wort. Sieh nach, was du aufbewahrt hast.',
  'Show the words again': 'Wörter noch einmal zeigen',
  Address: 'Adresse',
  'A contract holds it, and only your signature releases it. Spend it right away on any network, or withdraw it after seven days without anyone’s help. The contract is not audited yet: deposit only what you could lose.':
    'Ein Contract hält es, und nur deine Signatur gibt es frei. Gib es sofort in jedem Netzwerk aus, oder hol es nach sieben Tagen ohne fremde Hilfe zurück. Der Contract ist noch nicht auditiert: Zahle nur ein, was du verlieren könntest.',
  'Searching…': 'Suche läuft…',
  '0x… or a name': '0x… oder ein Name',
  'This is your account’s own address. An account cannot own itself.':
    'Das ist die Adresse deines eigenen Kontos. Ein Konto kann nicht sein eigener Inhaber sein.',
  'QR code of your request': 'QR-Code deiner Anforderung',
  'This wallet does not offer session keys on the network that the link names.':
    'Diese Wallet bietet in dem Netzwerk, das der Link nennt, keine Sitzungsschlüssel an.',
  Amount: 'Betrag',
  'A limit in it is not valid: {text}': 'Eine Grenze darin ist ungültig: {text}',
  'From {from} until {until}.': 'Von {from} bis {until}.',
  forever: 'für immer',
  'Up to {amount} {period}: {ways}.': 'Bis zu {amount} {period}: {ways}.',
  'Up to {amount} {period}, but no rule uses it.': 'Bis zu {amount} {period}, aber keine Regel nutzt es.',
  '{way}, or {otherWays}': '{way}, oder {otherWays}',
  'send to {recipients}': 'senden an {recipients}',
  'let {spenders} take it in the same operation': '{spenders} in derselben Transaktion nehmen lassen',
  'send along with calls': 'mit Aufrufen mitsenden',
  anyone: 'alle',
  '{who} by transferFrom': '{who} mit transferFrom',
  '{who} (at most {amount} per call)': '{who} (höchstens {amount} pro Aufruf)',
  'Call {function} on {where} with any arguments{value}{warning}.':
    '{function} bei {where} mit beliebigen Argumenten aufrufen{value}{warning}.',
  ', sending at most {amount} per call': ', mit höchstens {amount} pro Aufruf',
  ', without a limit on amounts': ', ohne Grenze für Beträge',
  'At most {count} operation': 'Höchstens {count} Transaktion',
  'At most {count} operations': 'Höchstens {count} Transaktionen',
  '{operations}, without fees for the account{sponsor}.':
    '{operations}, ohne Gebühren für das Konto{sponsor}.',
  '{operations}, with fees of at most {each} each, {total} in total{sponsor}.':
    '{operations}, mit Gebühren von je höchstens {each}, insgesamt {total}{sponsor}.',
  '; {paymaster} may pay instead': '; stattdessen darf {paymaster} bezahlen',
  '{amount} base units of {token}': '{amount} Basiseinheiten von {token}',
  'every minute': 'jede Minute',
  'every second': 'jede Sekunde',
  'every {count} days': 'alle {count} Tage',
  'every {count} hours': 'alle {count} Stunden',
  'every {count} minutes': 'alle {count} Minuten',
  'every {count} seconds': 'alle {count} Sekunden',
  'every 30 days': 'alle 30 Tage',
  'for anyone': 'für beliebige Empfänger',
  'for {named}': 'für {named}',
  'for {named} and {others} more': 'für {named} und {others} weitere',
  'Takes up to {amount} {symbol} {period}': 'Nimmt höchstens {amount} {symbol} {period}',
  '{amount} {symbol} again on {time}': 'Wieder {amount} {symbol} am {time}',
  'Loading what it did': 'Lädt, was er getan hat',
  'Nothing yet.': 'Noch nichts.',
  '{amount} {symbol} to {party}': '{amount} {symbol} an {party}',
  '{count, plural, one {# call} other {# calls}} without a payment':
    '{count, plural, one {# Aufruf} other {# Aufrufe}} ohne Zahlung',
  'It took a whole limit at once.': 'Er hat ein ganzes Limit auf einmal genommen.',
  'Revoke it if you did not expect that: somebody else may have the key.':
    'Widerrufe ihn, wenn du das nicht erwartet hast: Jemand anderes könnte den Schlüssel haben.',
  'Its transactions keep failing.': 'Seine Transaktionen schlagen immer wieder fehl.',
  'The app may be broken, or somebody tries what the key may not do. Revoke it if you are unsure.':
    'Vielleicht ist die App kaputt, oder jemand versucht, was der Schlüssel nicht darf. Widerrufe ihn, wenn du unsicher bist.',
  Subscription: 'Abo',
  'Limit used up': 'Limit aufgebraucht',
  'What it did': 'Was er getan hat',
  Guardians: 'Wächter',
  'People you trust who can give you your account back if you lose every passkey.':
    'Menschen, denen du vertraust und die dir dein Konto zurückgeben können, wenn du alle Passkeys verlierst.',
  'The service named a guardians contract that this wallet does not know.':
    'Der Dienst hat einen Contract für Wächter genannt, den diese Wallet nicht kennt.',
  'This is another passkey than the one that was named.':
    'Das ist ein anderer Passkey als der, der genannt wurde.',
  'This is an owner of your account: you would lose both at once.':
    'Das ist ein Inhaber deines Kontos: Du würdest beides zugleich verlieren.',
  'Nothing shows that this address can sign. An exchange’s address cannot.':
    'Nichts zeigt, dass diese Adresse signieren kann. Die Adresse einer Börse kann es nicht.',
  'This contract does not exist on every network.': 'Diesen Contract gibt es nicht in jedem Netzwerk.',
  'This contract accepts a signature that nobody made: anyone could take your account.':
    'Dieser Contract nimmt eine Signatur an, die niemand gemacht hat: Jeder könnte dein Konto nehmen.',
  'This contract cannot sign: it uses up all the gas that it gets.':
    'Dieser Contract kann nicht signieren: Er verbraucht alles Gas, das er bekommt.',
  'This passkey was removed from its own account. Ask for a new one.':
    'Dieser Passkey wurde aus seinem eigenen Konto entfernt. Bitte um einen neuen.',
  'This person alone could take your account.': 'Diese Person allein könnte dein Konto nehmen.',
  'Each of these people alone could take your account.':
    'Jede dieser Personen allein könnte dein Konto nehmen.',
  'You have only the delay to notice it and cancel. Better: three guardians, of whom two must agree.':
    'Du hast nur die Wartezeit, um es zu bemerken und abzubrechen. Besser: drei Wächter, von denen zwei zustimmen müssen.',
  'I want one guardian to be enough.': 'Ich will, dass ein Wächter genügt.',
  'Confirm this, or choose more guardians.': 'Bestätige das, oder wähle mehr Wächter.',
  'Better: one guardian more than must agree.': 'Besser: ein Wächter mehr, als zustimmen müssen.',
  'Add it anyway': 'Trotzdem hinzufügen',
  'It could not help you on {networks}.': 'In {networks} könnte er dir nicht helfen.',
  'Better: send the person the link below. Who answers it has signed once.':
    'Besser: Schicke der Person den Link unten. Wer ihn beantwortet, hat einmal signiert.',
  'Send this link. The person signs once to show that they can, and sends you a link back.':
    'Schicke diesen Link. Die Person signiert einmal, um zu zeigen, dass sie es kann, und schickt dir einen Link zurück.',
  'This answer was not signed for your account.': 'Diese Antwort wurde nicht für dein Konto signiert.',
  'Ask the person to open your link again.': 'Bitte die Person, deinen Link noch einmal zu öffnen.',
  'Each of them alone can make a new passkey the owner. You have the delay to cancel.':
    'Jeder von ihnen kann allein einen neuen Passkey zum Inhaber machen. Während der Wartezeit kannst du das abbrechen.',
  'If two or more must agree, one alone can do nothing. This service can never do anything.':
    'Wenn zwei oder mehr zustimmen müssen, kann einer allein nichts. Dieser Dienst kann nie etwas.',
  'This service can do nothing without one of them.': 'Dieser Dienst kann ohne einen von ihnen nichts.',
  'Your account exists on no network yet, so it cannot sign.':
    'Dein Konto gibt es noch in keinem Netzwerk. Darum kann es nicht signieren.',
  'You did not sign. Tell the owner to name your passkey instead of your account.':
    'Du hast nicht signiert. Sag dem Inhaber, dass er deinen Passkey statt deines Kontos nennen soll.',
  'Your passkey signs once, for all networks. It costs you nothing.':
    'Dein Passkey signiert einmal für alle Netzwerke. Es kostet dich nichts.',
  'Your signature does not count on {networks}: your account does not exist there. Tell the owner.':
    'In {networks} zählt deine Signatur nicht: Dein Konto gibt es dort nicht. Sag es dem Inhaber.',
  'Your signature counts on every network. Nothing else is left to do for you. If something seems wrong now, tell the owner: they can cancel.':
    'Deine Signatur zählt in jedem Netzwerk. Für dich bleibt nichts zu tun. Wenn dir jetzt etwas falsch vorkommt, sag es dem Inhaber: Er kann abbrechen.',
  'Recovered on {done} of {count, plural, one {# network} other {# networks}}.':
    'Wiederhergestellt in {done} von {count, plural, one {# Netzwerk} other {# Netzwerken}}.',
  'Your account is yours again on some networks.': 'Dein Konto gehört in einigen Netzwerken wieder dir.',
  'Your new passkey is its only owner. Session keys have ended.':
    'Dein neuer Passkey ist der einzige Inhaber. Sitzungsschlüssel sind beendet.',
  'Your new passkey is its only owner where it says “Done”. The service continues on the others.':
    'Dein neuer Passkey ist der einzige Inhaber, wo „Fertig“ steht. In den anderen macht der Dienst weiter.',
  'It works: you can sign for this account.': 'Es geht: Du kannst für dieses Konto signieren.',
  'The owner sees it now. Nothing was started, and nothing moved.':
    'Der Inhaber sieht es jetzt. Nichts wurde begonnen, und nichts bewegt.',
  'You are a guardian once {name} has opened it and signed. Keep this passkey.':
    'Du bist Wächter, sobald {name} ihn geöffnet und signiert hat. Behalte diesen Passkey.',
  'You cannot move their money. They choose how many guardians must agree.':
    'Du kannst das Geld der Person nicht bewegen. Sie wählt, wie viele Wächter zustimmen müssen.',
  'Now you sign once to show that you can. It starts nothing.':
    'Jetzt signierst du einmal, um zu zeigen, dass du es kannst. Es beginnt nichts.',
  'Before you ever sign a recovery, call them. Another person may ask in their name.':
    'Bevor du je eine Wiederherstellung signierst, rufe die Person an. Jemand anderes könnte in ihrem Namen fragen.',
  'You did not answer.': 'Du hast nicht geantwortet.',
  'This is your own link: send it to a person you trust.':
    'Das ist dein eigener Link: Schicke ihn einer Person, der du vertraust.',
  'If you lose this passkey today': 'Wenn du heute diesen Passkey verlierst',
  '{threshold} of {count, plural, one {# guardian} other {# guardians}} must sign for your new passkey. After that, an owner has {delay} to cancel.':
    '{threshold} von {count, plural, one {# Wächter} other {# Wächtern}} müssen für deinen neuen Passkey signieren. Danach kann ein Inhaber {delay} lang abbrechen.',
  'can sign here': 'kann hier signieren',
  'cannot sign here yet': 'kann hier noch nicht signieren',
  'You lose everything in this account.': 'Du verlierst alles in diesem Konto.',
  'You lose what you have on {networks}.': 'Du verlierst, was du in {networks} hast.',
  'Not every network says what would happen.': 'Nicht jedes Netzwerk sagt, was geschähe.',
  'You lose nothing: another owner remains.': 'Du verlierst nichts: Ein anderer Inhaber bleibt.',
  'You get everything back in about {delay}.': 'Du bekommst alles zurück. Das dauert etwa {delay}.',
  'Another owner': 'Anderer Inhaber',
  'Ready, none to spare': 'Bereit, keiner zu viel',
  'Not covered': 'Nicht geschützt',
  'Practise a recovery': 'Eine Wiederherstellung üben',
  'Send your guardians this link. Each signs once, nothing moves, and you see here who did.':
    'Schicke deinen Wächtern diesen Link. Jeder signiert einmal, nichts bewegt sich, und du siehst hier, wer es getan hat.',
  'Cannot sign on {networks}: the contract does not exist there.':
    'Kann in {networks} nicht signieren: Den Contract gibt es dort nicht.',
  'Nothing shows that this guardian can sign. Let them practise.':
    'Nichts zeigt, dass dieser Wächter signieren kann. Lass ihn üben.',
  'Can sign on every network': 'Kann in jedem Netzwerk signieren',
  'Can sign on every network that answers': 'Kann in jedem Netzwerk signieren, das antwortet',
  'Someone who says they are {name} asks you to practise':
    'Jemand, der sich {name} nennt, bittet dich zu üben',
  'You sign once, exactly as you would in an emergency. It starts nothing, and nothing moves.':
    'Du signierst einmal, genau wie im Notfall. Es beginnt nichts, und nichts bewegt sich.',
  'The owner then sees that you can help.': 'Der Inhaber sieht danach, dass du helfen kannst.',
  'Practise as {username}': 'Als {username} üben',
  'Your passkey signs once, for all networks: this one guardian, after {delay}.':
    'Dein Passkey signiert einmal für alle Netzwerke: dieser eine Wächter, Wartezeit {delay}.',
  'Has not practised': 'Hat nicht geübt',
  'Signed a practice on {time}': 'Hat am {time} zur Übung signiert',
  'This request has ended.': 'Diese Anfrage ist beendet.',
  'Your new passkey is its only owner where it says “Done”. On the others, this recovery has ended.':
    'Dein neuer Passkey ist der einzige Inhaber, wo „Fertig“ steht. In den anderen ist diese Wiederherstellung beendet.',
  'An owner cancelled it, or it was not finished in time.':
    'Ein Inhaber hat sie abgebrochen, oder sie wurde nicht rechtzeitig abgeschlossen.',
  'Guardians took it back.': 'Wächter haben sie zurückgenommen.',
  'Another recovery took its place.': 'Eine andere Wiederherstellung ist an ihre Stelle getreten.',
  'There is nothing to sign.': 'Es gibt nichts zu signieren.',
  'If the person still needs you, they begin again and send you another link.':
    'Wenn die Person dich noch braucht, beginnt sie neu und schickt dir einen anderen Link.',
  'Your account has switched guardians off on a network.':
    'Dein Konto hat die Wächter auf einem Netzwerk abgeschaltet.',
  'Your networks have different owners.': 'Deine Netzwerke haben verschiedene Inhaber.',
  'They took different changes, and what you sign for all networks may not hold on each of them. The list of owners says where each one counts. Add or remove them where they differ.':
    'Sie haben verschiedene Änderungen übernommen, und was du für alle Netzwerke signierst, gilt vielleicht nicht auf jedem. Die Liste der Inhaber sagt, wo jeder zählt. Füge sie dort hinzu oder entferne sie, wo sie sich unterscheiden.',
  'One network refused an owner, or its owners were changed by hand. The list of owners says where each one counts. Add or remove them where they differ.':
    'Ein Netzwerk hat einen Inhaber abgelehnt, oder seine Inhaber wurden von Hand geändert. Die Liste der Inhaber sagt, wo jeder zählt. Füge sie dort hinzu oder entferne sie, wo sie sich unterscheiden.',
  'You cancelled the recovery.': 'Du hast die Wiederherstellung abgebrochen.',
  'Your passkey stays the owner, and your guardians stay as they are. The links that they got have ended.':
    'Dein Passkey bleibt der Inhaber, und deine Wächter bleiben, wie sie sind. Die Links, die sie bekommen haben, sind beendet.',
  'Sign and cancel it': 'Signieren und abbrechen',
  'You sign once: the recovery ends on every network, and nothing else changes. Guardians can start another one.':
    'Du signierst einmal: Die Wiederherstellung endet in jedem Netzwerk, und sonst ändert sich nichts. Wächter können eine andere beginnen.',
  'What guardians can and cannot do': 'Was Wächter können und was nicht',
  'Together they can make a new passkey the owner. You have the delay to cancel.':
    'Zusammen können sie einen neuen Passkey zum Inhaber machen. Während der Wartezeit kannst du das abbrechen.',
  'Alone, a guardian can do nothing. Neither can this service.':
    'Allein kann ein Wächter nichts. Auch dieser Dienst kann nichts.',
  'They cannot move money, and they cannot see more than anyone else.':
    'Sie können kein Geld bewegen und sehen nicht mehr als alle anderen.',
  'They protect against loss, not against theft: whoever has your passkey can take everything at once, and can cancel every recovery.':
    'Sie schützen vor Verlust, nicht vor Diebstahl: Wer deinen Passkey hat, kann sofort alles nehmen und jede Wiederherstellung abbrechen.',
  'Choose people who do not know of each other, and tell each to call you before they sign.':
    'Wähle Menschen, die nichts voneinander wissen, und bitte alle, dich anzurufen, bevor sie signieren.',
  'The guardians contract is not audited yet.': 'Der Contract der Wächter ist noch nicht auditiert.',
  'Your guardians': 'Deine Wächter',
  'This service does not know who they are.': 'Dieser Dienst weiß nicht, wer sie sind.',
  'They were set elsewhere. Choose guardians here if you do not know them either.':
    'Sie wurden anderswo festgelegt. Wähle hier Wächter, wenn auch du sie nicht kennst.',
  '{threshold} of {count} together can recover your account, after {delay}.':
    '{threshold} von {count} können dein Konto zusammen wiederherstellen. Wartezeit: {delay}.',
  'In force on {networks}.': 'Gültig in {networks}.',
  'Since {time}.': 'Seit {time}.',
  'Change guardians': 'Wächter ändern',
  '{days, plural, one {# day} other {# days}}': '{days, plural, one {# Tag} other {# Tage}}',
  'Protect your account': 'Schütze dein Konto',
  'Chosen guardians': 'Gewählte Wächter',
  'Remove guardian {name}': 'Wächter {name} entfernen',
  'How many must agree': 'Wie viele zustimmen müssen',
  'If one of them cannot be reached, your account cannot be recovered.':
    'Wenn einer von ihnen nicht erreichbar ist, kann dein Konto nicht wiederhergestellt werden.',
  '{threshold} of {count}': '{threshold} von {count}',
  Delay: 'Wartezeit',
  'This is your time to cancel a recovery that you did not ask for. You wait as long for your own.':
    'In dieser Zeit kannst du eine Wiederherstellung abbrechen, die du nicht wolltest. Genauso lange wartest du auf deine eigene.',
  'Your passkey signs once, for all networks: {threshold} of these {count}, after {delay}.':
    'Dein Passkey signiert einmal für alle Netzwerke: {threshold} von diesen {count}, Wartezeit {delay}.',
  'Remove all guardians': 'Alle Wächter entfernen',
  'Your own account cannot recover itself.': 'Dein eigenes Konto kann sich nicht selbst wiederherstellen.',
  'This guardian is already in the list.': 'Dieser Wächter steht schon in der Liste.',
  Guardian: 'Wächter',
  'Add at least one guardian.': 'Füge mindestens einen Wächter hinzu.',
  'Add guardian': 'Wächter hinzufügen',
  'Signed once. The service brings it to every network, and continues until each has it.':
    'Einmal signiert. Der Dienst bringt es in jedes Netzwerk und macht weiter, bis es überall gilt.',
  'On its way': 'Unterwegs',
  'This service does not pay for it there': 'Dieser Dienst bezahlt es dort nicht',
  'Continues tomorrow': 'Geht morgen weiter',
  'Waits for an earlier change': 'Wartet auf eine frühere Änderung',
  'Will be tried again': 'Wird erneut versucht',
  'Your new guardians': 'Deine neuen Wächter',
  'Your guardians are being removed': 'Deine Wächter werden entfernt',
  'The recovery is being cancelled': 'Die Wiederherstellung wird abgebrochen',
  'Your change is signed': 'Deine Änderung ist signiert',
  'Turn guardians on': 'Wächter einschalten',
  'Turn guardians on everywhere': 'Wächter überall einschalten',
  'Turned guardians on': 'Wächter eingeschaltet',
  'Your account lets the guardians contract work once on each network. After that, one signature is enough for all.':
    'Dein Konto lässt den Contract der Wächter einmal in jedem Netzwerk zu. Danach reicht eine Signatur für alle.',
  'Lets the guardians contract change the owners, but only as you sign it, or as your guardians recover the account. It is not audited yet.':
    'Lässt den Contract der Wächter die Inhaber ändern, aber nur so, wie du es signierst oder deine Wächter das Konto wiederherstellen. Er ist noch nicht auditiert.',
  'Your account is being recovered.': 'Dein Konto wird gerade wiederhergestellt.',
  'Cancel the recovery': 'Wiederherstellung abbrechen',
  'Your guardians signed it. It can be finished at any moment on {where}, and then you are no owner there.':
    'Deine Wächter haben das signiert. In {where} kann es jederzeit abgeschlossen werden, und dann bist du dort kein Inhaber mehr.',
  'Your guardians signed it. From {time} on, you can lose the account on {where}.':
    'Deine Wächter haben das signiert. Ab dem {time} kannst du das Konto in {where} verlieren.',
  'If you did not ask for it, cancel it now. One signature cancels it on every network.':
    'Wenn du das nicht wolltest, brich es jetzt ab. Eine Signatur bricht es in jedem Netzwerk ab.',
  'The recovery goes on.': 'Die Wiederherstellung läuft weiter.',
  Recovery: 'Wiederherstellung',
  'The six words': 'Die sechs Wörter',
  'Finishes on {time}': 'Wird am {time} abgeschlossen',
  '{signed} of {threshold} signed': '{signed} von {threshold} haben signiert',
  'Waiting for guardians': 'Wartet auf Wächter',
  Starting: 'Beginnt',
  Running: 'Läuft',
  Finishing: 'Wird abgeschlossen',
  'Cancelled or replaced': 'Abgebrochen oder ersetzt',
  'Guardians are not turned on there': 'Wächter sind dort nicht eingeschaltet',
  'No guardians there': 'Keine Wächter dort',
  'This service does not know the guardians there': 'Dieser Dienst kennt die Wächter dort nicht',
  'Recover your account': 'Stelle dein Konto wieder her',
  'You lost every passkey. Your guardians can make a new one the owner of your account.':
    'Du hast alle Passkeys verloren. Deine Wächter können einen neuen zum Inhaber deines Kontos machen.',
  'Which account?': 'Welches Konto?',
  'This account has no guardians.': 'Dieses Konto hat keine Wächter.',
  'Another owner can still help: sign in with a second passkey, or open the recovery page with your recovery key.':
    'Ein anderer Inhaber kann noch helfen: Melde dich mit einem zweiten Passkey an, oder öffne die Wiederherstellungsseite mit deinem Wiederherstellungsschlüssel.',
  'The guardian must sign. After that, an owner has {delay} to cancel.':
    'Der Wächter muss signieren. Danach kann ein Inhaber {delay} lang abbrechen.',
  '{threshold} of {count} guardians must sign. After that, an owner has {delay} to cancel.':
    '{threshold} von {count} Wächtern müssen signieren. Danach kann ein Inhaber {delay} lang abbrechen.',
  'Create a new passkey': 'Neuen Passkey erstellen',
  'Your account is yours again.': 'Dein Konto gehört wieder dir.',
  'Sign in with the new passkey': 'Mit dem neuen Passkey anmelden',
  'Ask your guardians': 'Frage deine Wächter',
  'Send each of them this link.': 'Schicke allen diesen Link.',
  'Call each of them, and read out these six words. They see the same words.':
    'Rufe alle an, und lies diese sechs Wörter vor. Sie sehen dieselben Wörter.',
  'Keep this device: the new passkey is on it.': 'Behalte dieses Gerät: Der neue Passkey ist darauf.',
  'Copy the link': 'Link kopieren',
  'Recovery of {username}': 'Wiederherstellung von {username}',
  'Loading the recovery': 'Lädt die Wiederherstellung',
  'No guardian has signed yet.': 'Noch kein Wächter hat signiert.',
  'Start again': 'Neu beginnen',
  'Help to recover an account': 'Hilf, ein Konto wiederherzustellen',
  'Ask for it again. A part of it may be missing.': 'Bitte noch einmal darum. Vielleicht fehlt ein Teil.',
  'You cannot help here. Tell the person who sent you the link.':
    'Du kannst hier nicht helfen. Sag es der Person, die dir den Link geschickt hat.',
  'Someone who says they are {username} asks for your signature':
    'Jemand, der sich {username} nennt, bittet um deine Signatur',
  'You are asked for your signature': 'Du wirst um deine Signatur gebeten',
  'They say that they lost every passkey of this account. If its only guardian signs, a new passkey owns it {delay} later, and everything in it.':
    'Die Person sagt, sie habe alle Passkeys dieses Kontos verloren. Wenn der einzige Wächter signiert, gehört es {delay} später einem neuen Passkey, mit allem darin.',
  'They say that they lost every passkey of this account. If {threshold} of {count} guardians sign, a new passkey owns it {delay} later, and everything in it.':
    'Die Person sagt, sie habe alle Passkeys dieses Kontos verloren. Wenn {threshold} von {count} Wächtern signieren, gehört es {delay} später einem neuen Passkey, mit allem darin.',
  'Where it stands': 'Wie weit es ist',
  'You signed.': 'Du hast signiert.',
  'Check first': 'Prüfe zuerst',
  'Call them on a number you already had, not one from the message with this link.':
    'Rufe die Person unter einer Nummer an, die du schon hattest. Nicht unter einer aus der Nachricht mit diesem Link.',
  'Recognize the voice, and ask something that only they know.':
    'Erkenne die Stimme, und frage etwas, das nur diese Person weiß.',
  'Ask them to read out their six words. They must be these:':
    'Lass dir die sechs Wörter vorlesen. Es müssen diese sein:',
  'A message, an e-mail or a video can be faked. Whoever gets the account gets everything in it.':
    'Eine Nachricht, eine E-Mail oder ein Video kann gefälscht sein. Wer das Konto bekommt, bekommt alles darin.',
  'I spoke to them, and the six words are the same.':
    'Ich habe mit der Person gesprochen, und die sechs Wörter sind dieselben.',
  'This wallet’s account is no guardian.': 'Das Konto dieser Wallet ist kein Wächter.',
  'Choose the account in your wallet that the owner named.':
    'Wähle in deiner Wallet das Konto, das der Inhaber genannt hat.',
  'Sign as {username}': 'Als {username} signieren',
  'Sign in with your own account': 'Mit deinem eigenen Konto anmelden',
  'Your account {username} is no guardian of this one.': 'Dein Konto {username} ist kein Wächter von diesem.',
  'Your passkey asks once for each network on which your account is deployed.':
    'Dein Passkey fragt einmal für jedes Netzwerk, in dem dein Konto angelegt ist.',
  'No wallet was found in this browser. If you were named by an address, open this link where its wallet is.':
    'In diesem Browser wurde keine Wallet gefunden. Wenn deine Adresse als Wächter genannt wurde, öffne diesen Link dort, wo ihre Wallet ist.',
  'Lost your passkey?': 'Passkey verloren?',
  'Finish it now': 'Jetzt abschließen',
  'You can close this page. Come back to it on this device: the new passkey is on it.':
    'Du kannst diese Seite schließen. Komm auf diesem Gerät wieder: Darauf ist der neue Passkey.',
  'Become a guardian': 'Werde Wächter',
  'Send this link back': 'Schicke diesen Link zurück',
  'You are a guardian once {name} has opened it and signed. Keep the key of this address.':
    'Du bist Wächter, sobald {name} ihn geöffnet und signiert hat. Behalte den Schlüssel dieser Adresse.',
  'Someone who says they are {name} trusts you with their account':
    'Jemand, der sich {name} nennt, vertraut dir sein Konto an',
  'If they lose every passkey, they ask you to sign. It costs you nothing.':
    'Wenn alle Passkeys verloren sind, bittet dich die Person zu signieren. Es kostet dich nichts.',
  'Answer as {username}': 'Als {username} antworten',
  'Answer with {wallet}': 'Mit {wallet} antworten',
  'Your invitation has an answer.': 'Auf deine Einladung wurde geantwortet.',
  'Add this guardian': 'Diesen Wächter hinzufügen',
  Ignore: 'Ignorieren',
  'A link can come from anyone. Ask the person by phone whether this address is theirs.':
    'Ein Link kann von jedem kommen. Frage die Person am Telefon, ob diese Adresse ihr gehört.',
  'Invite by link': 'Mit Link einladen',
  'Your account on {network} pays. You pay only the network fee, which you see before you sign.':
    'Dein Konto in {network} zahlt. Du zahlst nur die Netzwerkgebühr, die du vor der Signatur siehst.',
  'Your combined balance pays, with one signature. The money arrives on {network}.':
    'Dein Gesamtguthaben zahlt, mit einer Signatur. Das Geld kommt in {network} an.',
  '{amount} of it is deposited: you spend that on any network, with one signature. {link}':
    '{amount} davon sind eingezahlt: Das gibst du in jedem Netzwerk aus, mit einer Signatur. {link}',
  'Nothing is deposited. What you deposit, you can spend on any network with one signature.':
    'Nichts ist eingezahlt. Was du einzahlst, kannst du in jedem Netzwerk mit einer Signatur ausgeben.',
  'Nothing here yet. Show your address or its QR code to whoever pays you.':
    'Noch ist nichts hier. Zeig deine Adresse oder ihren QR-Code allen, die dich bezahlen.',
  Prepared: 'Vorbereitet',
  'Signed by': 'Signiert von',
  History: 'Verlauf',
  'Sent to the network': 'Ans Netzwerk gesendet',
  'Failed in a block': 'In einem Block fehlgeschlagen',
  'The network removed its block': 'Das Netzwerk hat den Block verworfen',
  'Replaced by another transaction': 'Durch eine andere Transaktion ersetzt',
  'Requested by': 'Angefragt von',
  'A session key': 'Ein Sitzungsschlüssel',
  'Token contract': 'Token-Contract',
  'Seen in this browser': 'In diesem Browser gesehen',
  'Allow a session key': 'Einen Sitzungsschlüssel erlauben',
  'Limits on {network}': 'Grenzen in {network}',
  'asks to act for you.': 'möchte für dich handeln.',
  'Allow with passkey': 'Mit Passkey erlauben',
  Apps: 'Apps',
  'There is no such page': 'Diese Seite gibt es nicht',
  'Nothing in this wallet has the address {path}. Your account is as it was.':
    'Nichts in dieser Wallet hat die Adresse {path}. An deinem Konto hat sich nichts geändert.',
  'Go to Home': 'Zum Start',
  'On this page, a guardian helps a person who lost every passkey. You need the link that this person sends you: it says which account, and which new passkey.':
    'Auf dieser Seite hilft ein Wächter einer Person, die alle Passkeys verloren hat. Du brauchst den Link, den sie dir schickt: Er nennt das Konto und den neuen Passkey.',
  'Did you lose your own passkeys? Recover your account':
    'Hast du selbst deine Passkeys verloren? Stelle dein Konto wieder her',
  'On this page, you answer a person who wants you as a guardian. You need the link that this person sends you: it says who asks.':
    'Auf dieser Seite antwortest du einer Person, die dich als Wächter möchte. Du brauchst den Link, den sie dir schickt: Er nennt, wer fragt.',
  'Do you want guardians for your own account? Choose them':
    'Möchtest du Wächter für dein eigenes Konto? Wähle sie',
  '{message}': 'Der Dienst sagt: {message}',
  'A new username must use one script, such as Latin or Cyrillic, without mixing them.':
    'Ein neuer Benutzername benutzt nur eine Schrift, zum Beispiel Latein oder Kyrillisch, ohne sie zu mischen.',
  'A new username must not look like an address.':
    'Ein neuer Benutzername darf nicht wie eine Adresse aussehen.',
  'This username is reserved.': 'Dieser Benutzername ist reserviert.',
  'Another one looks the same.': 'Ein anderer sieht genauso aus.',
  'A username has at most 64 characters.': 'Ein Benutzername hat höchstens 64 Zeichen.',
  'A username has no control or invisible characters.':
    'Ein Benutzername hat keine Steuerzeichen und keine unsichtbaren Zeichen.',
  'A username has at least one character.': 'Ein Benutzername hat mindestens ein Zeichen.',
  'Choose another one.': 'Wähle einen anderen.',
  'The combined balance does not take this amount.': 'Das Gesamtguthaben nimmt diesen Betrag nicht an.',
  'There is nothing to collect or to cancel there now.':
    'Dort gibt es gerade nichts abzuholen oder abzubrechen.',
  'This service does not allow that.': 'Dieser Dienst erlaubt das nicht.',
  'The operator does not pay network fees for you at the moment.':
    'Der Betreiber bezahlt dir gerade keine Netzwerkgebühren.',
  'Your account owes the service a network fee.': 'Dein Konto schuldet dem Dienst eine Netzwerkgebühr.',
  'Go back and review the transaction again: it then repays what is owed.':
    'Geh zurück und prüfe die Transaktion noch einmal: Sie bezahlt dann, was offen ist.',
  'The network would refuse this transaction.': 'Das Netzwerk würde diese Transaktion ablehnen.',
  'Check what it does, then review it again.': 'Sieh nach, was sie tut, und prüfe sie dann noch einmal.',
  'This signature is not by an owner of your account.':
    'Diese Signatur ist von keinem Inhaber deines Kontos.',
  'Choose the passkey of the account that you are signed in to.':
    'Wähle den Passkey des Kontos, in dem du angemeldet bist.',
  'This service does not know this passkey.': 'Dieser Dienst kennt diesen Passkey nicht.',
  'Choose another passkey of this account.': 'Wähle einen anderen Passkey dieses Kontos.',
  'This service does not have this network.': 'Dieser Dienst hat dieses Netzwerk nicht.',
  'This owner is the last one on a network.': 'Dieser Inhaber ist in einem Netzwerk der letzte.',
  'Add another owner there first.': 'Füge dort zuerst einen anderen Inhaber hinzu.',
  'Your account does not have this owner any more.': 'Dein Konto hat diesen Inhaber nicht mehr.',
  'Go back to see the owners that it has.': 'Geh zurück, um seine Inhaber zu sehen.',
  'Your passkey does not own the account on this network.':
    'Deinem Passkey gehört das Konto in diesem Netzwerk nicht.',
  'Sign in with an owner that does, and add this one there.':
    'Melde dich mit einem Inhaber an, der dort gilt, und füge diesen hinzu.',
  'This passkey still owns your account on a network.':
    'Dieser Passkey ist in einem Netzwerk noch Inhaber deines Kontos.',
  'Remove it there first.': 'Entferne ihn dort zuerst.',
  'No network of this service supports guardians.': 'Kein Netzwerk dieses Dienstes unterstützt Wächter.',
  'Another change of the account was signed in the meantime.':
    'Inzwischen wurde eine andere Änderung des Kontos signiert.',
  'Go back and begin again.': 'Geh zurück und fang noch einmal an.',
  'Only its owners can act for it.': 'Nur seine Inhaber können dafür handeln.',
  'This service does not know the guardians of this account.':
    'Dieser Dienst kennt die Wächter dieses Kontos nicht.',
  'An owner can choose new ones.': 'Ein Inhaber kann neue wählen.',
  'This address is no guardian of the account.': 'Diese Adresse ist kein Wächter des Kontos.',
  'Sign with the account that the owner named.': 'Signiere mit dem Konto, das der Inhaber genannt hat.',
  'The account has changed since this recovery began.':
    'Das Konto hat sich geändert, seit diese Wiederherstellung begann.',
  'Begin it again, and let the guardians sign again.':
    'Beginne sie noch einmal, und lass die Wächter noch einmal signieren.',
  'Enough guardians have signed another recovery of this account.':
    'Genug Wächter haben eine andere Wiederherstellung dieses Kontos signiert.',
  'Ask the owner which one is right.': 'Frag den Inhaber, welche richtig ist.',
  'No guardian has signed this recovery yet.': 'Noch kein Wächter hat diese Wiederherstellung signiert.',
  'Ask a guardian to sign it first.': 'Bitte zuerst einen Wächter zu signieren.',
  'The operator of this service does not serve this transaction.':
    'Der Betreiber dieses Dienstes führt diese Transaktion nicht aus.',
  'Ask the operator. What you have stays yours: the recovery page moves it without this service.':
    'Frage den Betreiber. Was du hast, bleibt deins: Die Wiederherstellungsseite bewegt es ohne diesen Dienst.',
  'The operator of this service looks at this transaction first.':
    'Der Betreiber dieses Dienstes prüft diese Transaktion zuerst.',
  'Nothing was sent. Try again later.': 'Es wurde nichts gesendet. Versuche es später noch einmal.',
  'The operator’s check of transactions does not answer at the moment.':
    'Die Prüfung des Betreibers antwortet im Moment nicht.',
  'The operator cannot sign its part at the moment.':
    'Der Betreiber kann seinen Teil gerade nicht signieren.',
  'The state of this network is not confirmed at the moment.':
    'Der Stand dieses Netzwerks ist gerade nicht bestätigt.',
  'The operator advances nothing there until it is. Choose another network, or try again later.':
    'Bis dahin streckt der Betreiber dort nichts vor. Wähle ein anderes Netzwerk, oder versuch es später noch einmal.',
  'The service is starting.': 'Der Dienst startet gerade.',
  'The request did not arrive in time.': 'Die Anfrage kam nicht rechtzeitig an.',
  'Another transaction took its place.': 'Eine andere Transaktion hat sie ersetzt.',
  'It can no longer be included.': 'Sie kann nicht mehr aufgenommen werden.',
  'The network removed its block. It is sent again.':
    'Das Netzwerk hat ihren Block verworfen. Sie wird noch einmal gesendet.',
  'Let the combined balance contract take {amount} {symbol}, once.':
    'Der Contract des Gesamtguthabens durfte einmal {amount} {symbol} nehmen.',
  'Allowed spending of': 'Ausgabe erlaubt von',
  'Added an owner': 'Inhaber hinzugefügt',
  'This owner can act alone': 'Dieser Inhaber kann allein handeln',
  'Removed an owner': 'Inhaber entfernt',
  'This owner can no longer act': 'Dieser Inhaber kann nicht mehr handeln',
  'Created the contract that verifies the new passkey.':
    'Hat den Contract erstellt, der den neuen Passkey prüft.',
  'Called a contract': 'Contract aufgerufen',
  'Granted a session key': 'Sitzungsschlüssel erteilt',
  'The key may do this without asking you, and nothing else:':
    'Der Schlüssel darf das tun, ohne dich zu fragen, und sonst nichts:',
  'Revoked a session key': 'Sitzungsschlüssel widerrufen',
  'This key can do nothing any more.': 'Dieser Schlüssel kann nichts mehr.',
  'Acted with a session key': 'Mit einem Sitzungsschlüssel gehandelt',
  'Made the session keys contract an owner of your account, so that it can check what the keys sign.':
    'Hat den Contract der Sitzungsschlüssel zu einem Inhaber deines Kontos gemacht, damit er prüfen kann, was die Schlüssel signieren.',
  'Made it a module of your account, so that it can do what the limits allow.':
    'Hat ihn zu einem Modul deines Kontos gemacht, damit er tun kann, was die Grenzen erlauben.',
  'Removed the session keys contract from the owners of your account.':
    'Hat den Contract der Sitzungsschlüssel aus den Inhabern deines Kontos entfernt.',
  'Removed it from the modules. Your account was as before the first session key.':
    'Hat ihn aus den Modulen entfernt. Dein Konto war wie vor dem ersten Sitzungsschlüssel.',
  Deposited: 'Eingezahlt',
  'Used {amount} {symbol} that you deposited on this network, and took {fee} {symbol} of the fee from there.':
    'Nahm {amount} {symbol}, die du in diesem Netzwerk eingezahlt hattest, und {fee} {symbol} der Gebühr von dort.',
  'Used {amount} {symbol} that you deposited on this network.':
    'Nahm {amount} {symbol}, die du in diesem Netzwerk eingezahlt hattest.',
  'Moved out of the combined balance': 'Aus dem Gesamtguthaben übertragen',
  'Used your deposits on other networks.': 'Nahm deine Einzahlungen in anderen Netzwerken.',
  'Removed a key’s right to spend the combined balance, with effect a day later.':
    'Hat einem Schlüssel das Recht genommen, das Gesamtguthaben auszugeben. Das galt einen Tag später.',
  'Started withdrawal': 'Auszahlung begonnen',
  'It left your combined balance. It can be collected on this network seven days later.':
    'Der Betrag hat dein Gesamtguthaben verlassen. Sieben Tage später kann er in diesem Netzwerk abgeholt werden.',
  'Cancelled withdrawal': 'Auszahlung abgebrochen',
  'The amount returned to your combined balance.': 'Der Betrag ist in dein Gesamtguthaben zurückgekehrt.',
  'Collected your withdrawal': 'Auszahlung abgeholt',
  'Not protected on {where}': 'Nicht geschützt auf {where}',
  'Look at your protection': 'Sieh dir deinen Schutz an',
  '{owners} owners and {threshold} of {count, plural, one {# guardian} other {# guardians}}':
    '{owners} Inhaber und {threshold} von {count, plural, one {# Wächter} other {# Wächtern}}',
  'Passkey and {threshold} of {count, plural, one {# guardian} other {# guardians}}':
    'Passkey und {threshold} von {count, plural, one {# Wächter} other {# Wächtern}}',
  '{owners} owners': '{owners} Inhaber',
  '{name} cannot sign yet': '{name} kann noch nicht signieren',
  '{name} cannot sign on {networks} yet': '{name} kann auf {networks} noch nicht signieren',
  '{count} guardians cannot sign everywhere yet': '{count} Wächter können noch nicht überall signieren',
  'Account of {username}': 'Konto von {username}',
  Account: 'Konto',
  'The same address on every network': 'Auf jedem Netzwerk dieselbe Adresse',
  Contacts: 'Kontakte',
  Language: 'Sprache',
  Theme: 'Erscheinungsbild',
  Receipt: 'Beleg',
  'from {party}': 'von {party}',
  'to {party}': 'an {party}',
  When: 'Wann',
  Print: 'Drucken',
  'Send to {name}': 'An {name} senden',
  'You signed': 'Du hast signiert',
  'Paying…': 'Wird bezahlt…',
  'Not paid': 'Nicht bezahlt',
  Paid: 'Bezahlt',
  Fee: 'Gebühr',
  'Paid for you': 'Für dich bezahlt',
  'Test money': 'Testgeld',
  'Newly issued': 'Neu ausgegeben',
  Earlier: 'Früher',
  'Only this browser has them. Save a copy before you clear its data.':
    'Nur dieser Browser hat sie. Speichere eine Kopie, bevor du seine Daten löschst.',
  'Save a copy': 'Kopie speichern',
  'No contacts yet': 'Noch keine Kontakte',
  'Choose “Save as contact” when you pay somebody.':
    'Wähle „Als Kontakt speichern“, wenn du jemanden bezahlst.',
  'Copy the address of {name}': 'Adresse von {name} kopieren',
  Assets: 'Vermögen',
  'on {count, plural, one {# network} other {# networks}}':
    'auf {count, plural, one {# Netzwerk} other {# Netzwerken}}',
  'none yet': 'noch nichts',
  Add: 'Einzahlen',
  Request: 'Anfordern',
  'You have': 'Du hast',
  'Protected by': 'Geschützt durch',
  '{amount} {symbol} in all, from {networks}': 'insgesamt {amount} {symbol}, von {networks}',
  None: 'Keine',
  'At most {amount} {symbol}': 'Höchstens {amount} {symbol}',
  'Your account': 'Dein Konto',
  '{state}: {reason}': '{state}: {reason}',
  Progress: 'Fortschritt',
  '{name} and {count} more': '{name} und {count} weitere',
  'To your account': 'Auf dein Konto',
  'A name service gives out names like this one, and this wallet does not ask it. Enter the address.':
    'Solche Namen vergibt ein Namensdienst, den diese Wallet nicht fragt. Gib die Adresse ein.',
  'This looks like {name}, and is not': 'Das sieht aus wie {name}, ist es aber nicht',
  'This looks like an address that you know, and is not':
    'Das sieht aus wie eine Adresse, die du kennst, ist es aber nicht',
  'Only the first and last digits are the same. Such addresses are made to be mistaken.':
    'Nur die ersten und letzten Stellen sind gleich. Solche Adressen sind dafür gemacht, verwechselt zu werden.',
  'Only the name looks the same. It belongs to another address.':
    'Nur der Name sieht gleich aus. Er gehört zu einer anderen Adresse.',
  'This address': 'Diese Adresse',
  '{name}, paid on {date}': '{name}, bezahlt am {date}',
  'You confirmed this address.': 'Du hast diese Adresse bestätigt.',
  'Send to {name} instead': 'Stattdessen an {name} senden',
  'Send to the known address instead': 'Stattdessen an die bekannte Adresse senden',
  'If you mean this address, type the four digits that follow {before}':
    'Wenn du diese Adresse meinst, tippe die vier Stellen nach {before}',
  'Confirm the address first.': 'Bestätige zuerst die Adresse.',
  Currency: 'Währung',
  Included: 'Enthalten',
  'Up to {count}': 'Bis zu {count}',
  '{left} more, of {count}': 'Noch {left} von {count}',
  'Right away: {link} The operator of the combined balance must sign it too.':
    'Sofort: {link} Der Betreiber des Gesamtguthabens muss ebenfalls signieren.',
  'This request cannot be paid here: its network or token is not one of this service.':
    'Diese Anforderung lässt sich hier nicht bezahlen: Ihr Netzwerk oder Token gehört nicht zu diesem Dienst.',
  'Or send this link': 'Oder schick diesen Link',
  'Copy the link of your request': 'Den Link deiner Anforderung kopieren',
  'Add from a file': 'Aus Datei hinzufügen',
  'This file holds no contacts. Choose a copy that this wallet saved.':
    'Diese Datei enthält keine Kontakte. Wähle eine Kopie, die diese Wallet gespeichert hat.',
  '{count, plural, one {# contact was added.} other {# contacts were added.}}':
    '{count, plural, one {# Kontakt wurde hinzugefügt.} other {# Kontakte wurden hinzugefügt.}}',
  'Nothing used yet': 'Noch nichts verbraucht',
  '{amount} {symbol} left': 'Noch {amount} {symbol}',
  'Your key is in a wallet of your own?': 'Dein Schlüssel liegt in einer eigenen Wallet?',
  'Bring your address': 'Bring deine Adresse mit',
  'Your key stays in your own wallet, and your address, tokens and history stay as they are.':
    'Dein Schlüssel bleibt in deiner eigenen Wallet, und Adresse, Token und Verlauf bleiben, wie sie sind.',
  'This browser has no wallet.': 'Dieser Browser hat keine Wallet.',
  'Install the wallet that has your key, or open this page in its browser. Never enter a key or its words in a website, not even in this one.':
    'Installiere die Wallet mit deinem Schlüssel, oder öffne diese Seite in ihrem Browser. Gib einen Schlüssel oder seine Wörter nie in eine Website ein, auch nicht in diese.',
  'Sign in with {wallet}': 'Mit {wallet} anmelden',
  'Your wallet shows two requests: which address, and a text to sign. Neither moves anything.':
    'Deine Wallet zeigt zwei Anfragen: welche Adresse, und einen Text zum Signieren. Keine bewegt etwas.',
  'If you exported the key of another service: {file} takes it. Save it, compare its SHA-256 ({hash}) with the published one, and open it from your disk.':
    'Wenn du den Schlüssel eines anderen Dienstes exportiert hast: {file} nimmt ihn an. Speichere die Datei, vergleiche ihren SHA-256 ({hash}) mit dem veröffentlichten und öffne sie von deiner Festplatte.',
  'Your address': 'Deine Adresse',
  'Welcome, {username}': 'Willkommen, {username}',
  'does not answer': 'antwortet nicht',
  'No network of this wallet lets an address keep its key.':
    'Kein Netzwerk dieser Wallet lässt einer Adresse ihren Schlüssel.',
  'Move what it holds to an account here instead.':
    'Verschiebe stattdessen, was sie hält, in ein Konto hier.',
  'Sign with a passkey as well': 'Auch mit einem Passkey signieren',
  'A passkey needs an account with an address of its own. Your address becomes its second owner.':
    'Ein Passkey braucht ein Konto mit eigener Adresse. Deine Adresse wird dort der zweite Inhaber.',
  'Make this address an owner of {username}': 'Diese Adresse zum Inhaber von {username} machen',
  'Create an account with a passkey': 'Ein Konto mit Passkey erstellen',
  'Then come back here, and move what your address holds. If your new account has no coins for the fee yet, move first.':
    'Komm danach hierher zurück und verschiebe, was deine Adresse hält. Wenn dein neues Konto noch kein Guthaben für die Gebühr hat, verschiebe zuerst.',
  'Then come back here: this page goes on from there.':
    'Komm danach hierher zurück: Diese Seite macht dort weiter.',
  'Use a Safe that this address owns': 'Einen Safe nutzen, der dieser Adresse gehört',
  'A Safe 1.4.1 or 1.5.0 that one owner signs for keeps its address and what it holds. Your other tools go on working.':
    'Ein Safe 1.4.1 oder 1.5.0, für den ein Inhaber allein signiert, behält Adresse und Inhalt. Deine anderen Werkzeuge funktionieren weiter.',
  'Address of the Safe': 'Adresse des Safe',
  'Reading the networks…': 'Netzwerke werden gelesen…',
  'Read the Safe': 'Safe lesen',
  'Networks of the Safe': 'Netzwerke des Safe',
  'Add the module with your wallet': 'Modul mit deiner Wallet hinzufügen',
  'Safe {version}, ready.': 'Safe {version}, bereit.',
  'Safe {version}. It lacks the module for ERC-4337. One transaction of your wallet adds it; from then on a signature of an owner moves the account.':
    'Safe {version}. Ihm fehlt das Modul für ERC-4337. Eine Transaktion deiner Wallet fügt es hinzu; danach bewegt eine Signatur eines Inhabers das Konto.',
  'It does not exist here. Send nothing to it on this network.':
    'Hier gibt es ihn nicht. Sende ihm in diesem Netzwerk nichts.',
  'The network does not answer. Send nothing to it until it does.':
    'Das Netzwerk antwortet nicht. Sende dort nichts, bis es antwortet.',
  'Pay from the Safe': 'Vom Safe zahlen',
  'Your wallet signs once. The Safe pays the fee, or this service does.':
    'Deine Wallet signiert einmal. Die Gebühr zahlt der Safe oder dieser Dienst.',
  'Paid from the Safe.': 'Vom Safe gezahlt.',
  'Your wallet sees another Safe there.': 'Deine Wallet sieht dort einen anderen Safe.',
  'What your own wallet reads on this network differs from what this service says. Nothing was signed. Check the network of your wallet, and read the Safe again.':
    'Was deine eigene Wallet in diesem Netzwerk liest, weicht von den Angaben dieses Dienstes ab. Nichts wurde signiert. Prüfe das Netzwerk deiner Wallet, und lies den Safe noch einmal.',
  'Your wallet is on another network.': 'Deine Wallet ist in einem anderen Netzwerk.',
  'It did not switch. Add the network to your wallet, or choose it there, and try again.':
    'Sie hat nicht gewechselt. Füge das Netzwerk deiner Wallet hinzu oder wähle es dort, und versuche es noch einmal.',
  'The transaction failed.': 'Die Transaktion ist fehlgeschlagen.',
  'Nothing was changed. Read the Safe again.': 'Nichts wurde geändert. Lies den Safe noch einmal.',
  'To be approved again from the new account, if you still use the app:':
    'Vom neuen Konto aus noch einmal freizugeben, wenn du die App noch nutzt:',
  Approvals: 'Freigaben',
  'Of tokens that this wallet does not list, only the newest 30 are read.':
    'Von Token, die diese Wallet nicht führt, werden nur die neuesten 30 gelesen.',
  'No approval is in force.': 'Keine Freigabe ist in Kraft.',
  'List the approvals with your wallet': 'Freigaben mit deiner Wallet auflisten',
  'The approvals were not read. An explorer of the network lists them too.':
    'Die Freigaben wurden nicht gelesen. Ein Explorer des Netzwerks listet sie auch.',
  'Enter an amount, such as 0.1. 0 only switches the address.':
    'Gib einen Betrag ein, zum Beispiel 0,1. Mit 0 wird die Adresse nur umgestellt.',
  'This is no signed delegation. Paste all of it, from the first bracket to the last.':
    'Das ist keine signierte Delegation. Füge alles ein, von der ersten Klammer bis zur letzten.',
  'Pay from your address': 'Von deiner Adresse zahlen',
  'The first payment on a network also lets your address run the account’s contract. Your wallet asks for two signatures then, later for one.':
    'Mit der ersten Zahlung in einem Netzwerk nutzt deine Adresse auch den Vertrag des Kontos. Deine Wallet fragt dann nach zwei Signaturen, später nach einer.',
  'To (address)': 'An (Adresse)',
  'Amount in {symbol}': 'Betrag in {symbol}',
  'The delegation was signed elsewhere': 'Die Delegation wurde anderswo signiert',
  'Signed delegation': 'Signierte Delegation',
  'The text that lanyard-key.html gave you for this network.':
    'Der Text, den dir lanyard-key.html für dieses Netzwerk gab.',
  'Your wallet does not sign delegations for websites.':
    'Deine Wallet signiert keine Delegationen für Websites.',
  'Most wallets of browsers do not, to protect you. Nothing was signed. Your address works in your wallet as before. You can move what it holds to an account here, below.':
    'Die meisten Wallets in Browsern tun das nicht, um dich zu schützen. Nichts wurde signiert. Deine Adresse funktioniert in deiner Wallet wie bisher. Du kannst unten verschieben, was sie hält.',
  'The pasted delegation does not fit.': 'Die eingefügte Delegation passt nicht.',
  'It is for another network or address, or the address has sent a transaction since. Sign a new one.':
    'Sie ist für ein anderes Netzwerk oder eine andere Adresse, oder die Adresse hat seitdem eine Transaktion gesendet. Signiere eine neue.',
  'Paid from your address.': 'Von deiner Adresse gezahlt.',
  'It was not sent, and cannot be any more.': 'Es wurde nicht gesendet und kann es nicht mehr werden.',
  'It was included, but the payment failed.': 'Sie wurde aufgenommen, aber die Zahlung schlug fehl.',
  'Sign in your wallet and pay': 'In deiner Wallet signieren und zahlen',
  'Your address runs the contract of {name} on this network.':
    'Deine Adresse nutzt in diesem Netzwerk den Vertrag von {name}.',
  'Your address runs another contract on this network.':
    'Deine Adresse nutzt in diesem Netzwerk einen anderen Vertrag.',
  'Switch the contract, and pay': 'Vertrag wechseln und zahlen',
  'It keeps nothing in your account’s storage, so nothing collides.':
    'Er hält nichts im Speicher deines Kontos, also stört nichts.',
  'It keeps its data in slots of its own (ERC-7201). The new contract reads none, so nothing collides.':
    'Er hält seine Daten in eigenen Plätzen (ERC-7201). Der neue Vertrag liest keine, also stört nichts.',
  'We do not know it: it may keep data in any slot. The new contract reads none, so nothing collides.':
    'Wir kennen ihn nicht: Er kann Daten an jedem Platz halten. Der neue Vertrag liest keine, also stört nichts.',
  'What it stored, such as other keys, counts again if you return to it.':
    'Was er gespeichert hat, zum Beispiel andere Schlüssel, gilt wieder, wenn du zu ihm zurückkehrst.',
  'This is the address that you move from. Enter that of your new account.':
    'Das ist die Adresse, von der du umziehst. Gib die deines neuen Kontos ein.',
  'Move everything to another account': 'Alles in ein anderes Konto verschieben',
  'Who wants a passkey, more owners or guardians gets a new address. Your wallet sends each transfer after you have seen it.':
    'Wer einen Passkey, mehr Inhaber oder Wächter möchte, bekommt eine neue Adresse. Deine Wallet sendet jede Überweisung, nachdem du sie gesehen hast.',
  'New account (address)': 'Neues Konto (Adresse)',
  'Show the plan': 'Plan zeigen',
  'Create an account that this address owns': 'Ein Konto erstellen, das dieser Adresse gehört',
  'There is nothing to move.': 'Es gibt nichts zu verschieben.',
  'A tenth of the coins stays for fees. Not in the plan: tokens that this wallet does not know, NFTs, and deposits in other apps. Approvals stay with the old address: give them again from the new one, and end the old ones.':
    'Ein Zehntel des Guthabens bleibt für Gebühren. Nicht im Plan: Token, die diese Wallet nicht kennt, NFTs und Einlagen in anderen Apps. Freigaben bleiben bei der alten Adresse: Gib sie von der neuen aus noch einmal, und beende die alten.',
  'What has a tick is sent.': 'Was einen Haken hat, ist gesendet.',
  'Everything in the plan is sent.': 'Alles im Plan ist gesendet.',
  'Send it with your wallet': 'Mit deiner Wallet senden',
  'Link {name}': '{name} verknüpfen',
  'Ask with {name}': 'Mit {name} bitten',
  Logins: 'Anmeldedienste',
  'A login finds your account again and can ask your guardians for help. It cannot sign, move money or add an owner.':
    'Ein Anmeldedienst findet dein Konto wieder und kann deine Wächter um Hilfe bitten. Er kann nicht signieren, kein Geld bewegen und keinen Inhaber hinzufügen.',
  'Linked {time}': 'Verknüpft {time}',
  'Unlink it': 'Verknüpfung lösen',
  'Unlink…': 'Verknüpfung lösen…',
  'The login is still linked.': 'Der Anmeldedienst ist noch verknüpft.',
  'Reading your login': 'Deine Anmeldung wird gelesen',
  'The login was not finished.': 'Die Anmeldung wurde nicht abgeschlossen.',
  'This login did not begin in this tab.': 'Diese Anmeldung begann nicht in diesem Tab.',
  'You or the provider stopped it. Nothing was changed.':
    'Du oder der Anbieter hat sie abgebrochen. Nichts wurde geändert.',
  'Another page may have sent you here. Nothing was changed. Begin again on the first page.':
    'Vielleicht hat dich eine andere Seite hierher geschickt. Nichts wurde geändert. Beginne noch einmal auf der ersten Seite.',
  'Back to the first page': 'Zurück zur ersten Seite',
  'Your login names {username}': 'Deine Anmeldung gehört zu {username}',
  'Only a passkey of this account opens it.': 'Nur ein Passkey dieses Kontos öffnet es.',
  'No account is linked to this login yet': 'Mit dieser Anmeldung ist noch kein Konto verknüpft',
  'Create one with a passkey. Then your login is asked once more, for exactly this passkey.':
    'Erstelle eines mit einem Passkey. Danach wird deine Anmeldung noch einmal gefragt, für genau diesen Passkey.',
  'Do you have an account here already? Sign in with its passkey, and link this login under Protection.':
    'Hast du hier schon ein Konto? Melde dich mit seinem Passkey an und verknüpfe diesen Dienst unter „Schutz“.',
  'Is a login linked to this account? With it, your guardians also see that somebody with your login asks. They still call you.':
    'Ist ein Anmeldedienst mit diesem Konto verknüpft? Dann sehen deine Wächter auch, dass jemand mit deiner Anmeldung bittet. Sie rufen dich trotzdem an.',
  'Your login has asked.': 'Deine Anmeldung hat gebeten.',
  'Your guardians see it at the link. Send them the link all the same, and call them.':
    'Deine Wächter sehen das unter dem Link. Schicke ihnen den Link trotzdem, und rufe sie an.',
  'Someone with the login of this account asks too.':
    'Auch jemand mit der Anmeldung dieses Kontos bittet darum.',
  'A login proves no person: whoever has the password, or runs the provider, has it. Call the person whom you know, and compare the six words below.':
    'Eine Anmeldung beweist keine Person: Wer das Passwort kennt oder den Anbieter betreibt, hat sie. Ruf die Person an, die du kennst, und vergleicht die sechs Wörter unten.',
  'A login asks your guardians to recover your account.':
    'Eine Anmeldung bittet deine Wächter, dein Konto wiederherzustellen.',
  'See your logins': 'Anmeldedienste ansehen',
  'It asked {time}. Was it not you? Unlink the login under Protection, and tell your guardians.':
    'Sie bat {time} darum. Warst du das nicht? Löse die Verknüpfung unter „Schutz“ und sag deinen Wächtern Bescheid.',
  'Your login was not accepted.': 'Deine Anmeldung wurde nicht angenommen.',
  'Begin again on the first page. A passkey signs in without it.':
    'Beginne noch einmal auf der ersten Seite. Mit einem Passkey geht es auch ohne.',
  'The provider of your login does not answer.': 'Der Anbieter deiner Anmeldung antwortet nicht.',
  'A passkey signs in without it. Or try again in a moment.':
    'Mit einem Passkey geht es auch ohne. Oder versuche es gleich noch einmal.',
  'No account is linked to this login.': 'Mit dieser Anmeldung ist kein Konto verknüpft.',
  'Sign in with your passkey, and link the login under Protection.':
    'Melde dich mit deinem Passkey an und verknüpfe den Dienst unter „Schutz“.',
  'This login is linked to another account.': 'Diese Anmeldung ist mit einem anderen Konto verknüpft.',
  'Sign in with it, or unlink it there first.': 'Melde dich damit an, oder löse die Verknüpfung dort zuerst.',
  'Five logins are linked to this account.': 'Mit diesem Konto sind fünf Anmeldungen verknüpft.',
  'Unlink one first.': 'Löse zuerst eine Verknüpfung.',
}
