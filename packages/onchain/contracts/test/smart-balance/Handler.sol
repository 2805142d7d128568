// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {SETTLEMENT_WINDOW} from "../../smart-balance/Constants.sol";
import {Debit} from "../../smart-balance/libraries/Order.sol";
import {Settling} from "../../smart-balance/Settlement.sol";
import {Campaign} from "./Campaign.sol";

/// @notice The states that a campaign must reach (docs/audit/invariants.md).
enum Reached {
    Claimed,
    ClaimedTwice,
    Failed,
    Unfunded,
    Settled,
    SettledInPart,
    SettledAgain,
    SettledDuringPause,
    SettledAfterWindow,
    SettledWithoutPin,
    SettledWithoutProof,
    SettledWithoutAttestors,
    SettledWithoutSignature,
    SettledOtherOrder,
    SettledOtherOutcome,
    SettledWhileExiting,
    Withdrawn,
    WithdrawnOfExit,
    WithdrawnAgain,
    ExitRequested,
    ExitAboveBalance,
    ExitBeforeItsTime,
    ExitDuringPause,
    Exited,
    VaultShort,
    CapExceeded
}

/// @notice Actions of a user, a settler, and an operator that checks nothing, on two networks, O and A, with the real
/// EntryPoint and a real Safe. Orders run on either network and debit the other. Thieves of one signature each try what
/// must not work. Ghost variables hold the expected state after each step; nothing here is expected to revert.
contract Handler is Campaign {
    struct Placed {
        Settling item;
        bytes32 orderHash;
        uint64 source;
        uint128 due;
        uint128 taken;
        uint48 validUntil;
    }

    address internal constant SAVER = address(0x5A4E);

    /// @dev Ghost variables: the expected ledger of a network.
    mapping(uint64 network => uint256) public expectedBalance;
    mapping(uint64 network => uint256) public expectedReceived;
    mapping(uint64 network => mapping(uint256 hour => uint256)) private _lent;
    /// @dev Ghost variable: until when the owner is pinned.
    mapping(uint64 network => uint256) private _pinnedUntil;
    /// @dev Ghost variable: the first guarantee that was broken; empty if none was.
    string public broken;
    /// @dev Ghost variable: how often each state was reached. An attempt counts only if nothing but the guard in question
    /// stands against it.
    mapping(Reached => uint256) public reached;

    Placed[] private _orders;
    bytes[2] private _withdrawals;
    uint256[2] private _withdrawalUntil;

    function setUp() public override {
        super.setUp();
        for (uint64 id = O; id <= A; ++id) {
            _on(id);
            _deposit(SAVER, 77e6);
            expectedBalance[id] = 500e6;
            _pinnedUntil[id] = type(uint256).max;
        }
        _on(O);
    }

    function deposit(uint256 seed, uint256 amount) external step(seed) {
        amount = bound(amount, 1, 300e6);
        _deposit(account, uint128(amount));
        expectedBalance[network] += amount;
    }

    /// @dev Once in eight, for more than there is.
    function requestExit(uint256 seed, uint256 amount) external step(seed) {
        uint256 balance = _balance(account);
        if (seed % 16 < 2) amount = balance + 1 + amount % 1e6;
        else if (balance == 0) return;
        else amount = bound(amount, 1, balance);
        vm.prank(account);
        try smartBalance.requestExit(uint128(amount)) {
            if (amount > balance) _break("an exit of more than the balance");
            ++reached[Reached.ExitRequested];
        } catch {
            if (amount <= balance) _break("an exit was not accepted");
            ++reached[Reached.ExitAboveBalance];
        }
    }

    function cancelExit(uint256 seed) external step(seed) {
        (, uint128 exiting,) = smartBalance.accounts(account);
        if (exiting == 0) return;
        vm.prank(account);
        smartBalance.cancelExit();
    }

    /// @dev Half of the time when it becomes ready, half of the time right after settlement was paused.
    function finalizeExit(uint256 seed) external step(seed) {
        (, uint128 exiting, uint48 readyAt) = smartBalance.accounts(account);
        if (exiting != 0 && seed % 8 < 4 && readyAt > block.timestamp) vm.warp(readyAt);
        if (seed % 16 < 8) {
            vm.prank(ADMIN);
            try smartBalance.pauseSettlement(1) {} catch {}
        }
        bool isReady = exiting != 0 && block.timestamp >= readyAt;
        if (exiting != 0 && !isReady) ++reached[Reached.ExitBeforeItsTime];
        if (isReady && block.timestamp < smartBalance.settlementPausedUntil()) {
            ++reached[Reached.ExitDuringPause];
        }
        vm.prank(account);
        try smartBalance.finalizeExit(account) {
            if (!isReady) _break("an exit before its time");
            expectedBalance[network] -= exiting;
            expectedReceived[network] += exiting;
            ++reached[Reached.Exited];
        } catch {
            if (isReady) _break("a ready exit was refused");
        }
    }

    /// @dev A mix of claims, double claims and failures, and of amounts beyond cap, liquidity and deposit; now and then
    /// without a pin on the source.
    function order(uint256 seed, uint256 amount, uint256 debit, uint8 kind) external step(seed) {
        Draft memory draft = _draft();
        uint64 source = network == O ? A : O;
        draft.claimAmount = uint128(bound(amount, 0, amount % 4 == 0 ? 1_500e6 : 150e6));
        // Half of the time within the existing deposit.
        uint256 highest = draft.claimAmount + 50e6;
        debit = bound(debit, 1, debit % 2 == 0 ? highest : _min(highest, expectedBalance[source] + 1));
        draft.debits[0] = Debit(source, uint128(debit), uint64(_min(debit, 3e6)));
        if (kind % 4 == 0) draft.callData = _call(address(0xDEAD), "");
        if (kind % 4 == 1) draft.callData = _claimTwice(draft.nonce);
        if (_place(draft, kind % 4 > 1) && kind % 4 == 1) ++reached[Reached.ClaimedTwice];
    }

    /// @dev Lends the rest of this hour's cap, and then one unit more, from liquidity that would suffice for both.
    function exceedCap(uint256 seed) external step(seed) {
        uint256 rest = CAP - _lent[network][block.timestamp / 1 hours];
        if (rest == 0) return;
        tokenOn[network].mint(address(smartBalance), 2 * CAP * smartBalance.SCALE());
        for (uint256 i; i < 2; ++i) {
            Draft memory draft = _draft();
            draft.claimAmount = uint128(i == 0 ? rest : 1);
            draft.debits[0] = Debit(network == O ? A : O, 1, 1);
            _place(draft, true);
        }
        ++reached[Reached.CapExceeded];
    }

    function settle(uint256 index) external {
        if (_orders.length == 0) return;
        index %= _orders.length;
        _settleOne(index, _orders[index].source == O ? 0 : 1);
    }

    /// @dev What attestors, settlers or the operator try beyond what the user signed and what happened.
    function steal(uint256 index, uint8 kind) external {
        if (_orders.length == 0) return;
        index %= _orders.length;
        kind %= 5;
        // A second order or outcome needs an order that was settled.
        for (uint256 i; kind > 2 && i < _orders.length && _orders[index].taken == 0; ++i) {
            index = (index + 1) % _orders.length;
        }
        _steal(_orders[index], kind, _orders[index].source == O ? 0 : 1);
    }

    function withdraw(uint256 seed, uint256 amount, uint256 fee, bytes32 salt) external step(seed) {
        (uint128 balance, uint128 exiting,) = smartBalance.accounts(account);
        uint256 free = balance - exiting;
        // Once in four, a part of the exiting amount as well.
        bool isTooMuch = seed % 8 < 2 && exiting != 0;
        amount = isTooMuch ? free + 1 + amount % exiting : bound(amount, 0, free);
        fee = isTooMuch ? 0 : bound(fee, 0, _min(free - amount, 1e6));
        if (isTooMuch) ++reached[Reached.WithdrawnOfExit];
        bytes memory call_ = _withdrawal(amount, fee, salt);
        vm.prank(account);
        (bool success,) = address(smartBalance).call(call_);
        // Otherwise rejected only if fuzzing repeats a salt in one second.
        if (!success) return;
        if (isTooMuch) _break("a withdrawal of what exits");
        expectedBalance[network] -= amount + fee;
        expectedReceived[network] += amount;
        _withdrawals[network - O] = call_;
        _withdrawalUntil[network - O] = block.timestamp + 1 days;
        if (amount != 0) ++reached[Reached.Withdrawn];
    }

    function repeatWithdrawal(uint256 seed) external step(seed) {
        if (_withdrawals[network - O].length == 0) return;
        if (block.timestamp <= _withdrawalUntil[network - O]) ++reached[Reached.WithdrawnAgain];
        vm.prank(account);
        (bool success,) = address(smartBalance).call(_withdrawals[network - O]);
        if (success) _break("a co-signature was used twice");
    }

    /// @dev Pinned most of the time.
    function changePin(uint256 seed) external step(seed) {
        bool isActive = smartBalance.signerUntil(account, _ownerId()) == type(uint48).max;
        vm.startPrank(account);
        if (!isActive) {
            smartBalance.addSigner(_ownerId());
            _pinnedUntil[network] = type(uint256).max;
        } else if (seed % 8 < 2) {
            smartBalance.removeSigner(_ownerId());
            _pinnedUntil[network] = block.timestamp + 1 days;
        }
        vm.stopPrank();
    }

    function ownerTakesLiquidity(uint256 seed, uint256 amount) external step(seed) {
        amount = bound(amount, 0, smartBalance.liquidity() / 4);
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, uint128(amount));
    }

    /// @dev At most what the budget allows.
    function pauseSettlement(uint256 seed, uint8 hours_) external step(seed) {
        vm.prank(ADMIN);
        try smartBalance.pauseSettlement(hours_ % 6) {} catch {}
    }

    /// @dev The token's issuer takes liquidity and a part of the deposits, and returns them after everybody has tried.
    function issuerTakes(uint256 seed, uint256 amount) external step(seed) {
        uint256 scale = smartBalance.SCALE();
        uint256 held = tokenOn[network].balanceOf(address(smartBalance));
        uint256 owed = smartBalance.totalDeposits() * scale;
        amount = held - owed + bound(amount, 1, owed);
        vm.prank(address(smartBalance));
        tokenOn[network].transfer(ADMIN, amount);
        ++reached[Reached.VaultShort];
        if (smartBalance.liquidity() != 0) _break("a short vault has liquidity");
        tokenOn[network].mint(account, scale);
        vm.startPrank(account);
        tokenOn[network].approve(address(smartBalance), scale);
        try smartBalance.deposit(1) {
            _break("a short vault took a deposit");
        } catch {}
        tokenOn[network].transfer(ADMIN, scale);
        vm.stopPrank();
        (uint128 balance, uint128 exiting,) = smartBalance.accounts(account);
        if (balance > exiting) {
            bytes memory call_ = _withdrawal(1, 0, keccak256(abi.encode(seed, amount)));
            vm.prank(account);
            (bool success,) = address(smartBalance).call(call_);
            if (success) _break("a short vault paid a withdrawal");
        }
        vm.prank(ADMIN);
        try smartBalance.withdrawLiquidity(ADMIN, 1) {
            _break("a short vault paid its owner");
        } catch {}
        vm.prank(ADMIN);
        tokenOn[network].transfer(address(smartBalance), amount);
    }

    /// @dev Minutes or days, so that orders settle in time, late, and never, and exits become ready.
    function wait(uint256 time, bool isLong) external step(0) {
        vm.warp(block.timestamp + bound(time, 1, isLong ? 4 days : 1 hours));
    }

    /// @dev Compares the ledger of one network with the ghost variables.
    function check(uint256 seed) external step(seed) {
        (uint128 balance, uint128 exiting,) = smartBalance.accounts(account);
        assertEq(balance, expectedBalance[network], "balance moved only as signed");
        assertTrue(exiting <= balance, "the exit is a part of the balance");
        assertEq(_balance(SAVER), 77e6, "the other account's balance");
        assertEq(smartBalance.totalDeposits(), uint256(balance) + 77e6, "sum of balances");
        uint256 held = tokenOn[network].balanceOf(address(smartBalance));
        uint256 scale = smartBalance.SCALE();
        assertTrue(held >= smartBalance.totalDeposits() * scale, "deposits are covered");
        uint256 received = tokenOn[network].balanceOf(account);
        assertEq(received, expectedReceived[network] * scale, "received what was claimed and paid");
        uint256 rest = tokenOn[network].balanceOf(ADMIN);
        assertEq(held + received + rest, tokenOn[network].totalSupply(), "tokens are conserved");
    }

    /// @dev Of the orders that ran on this network.
    function checkOutcomes(uint256 seed) external step(seed) {
        for (uint256 i; i < _orders.length; ++i) {
            Placed storage placed = _orders[i];
            if (placed.item.chainId != network) continue;
            Outcome outcome = _outcome(account, placed.item.signed.operation.nonce);
            assertTrue(outcome == placed.item.outcome, "an outcome is final");
        }
    }

    /// @return Whether its loan, if any, could be paid, but it was not claimed.
    function _place(Draft memory draft, bool isClaiming) private returns (bool) {
        PackedUserOperation memory op = _build(draft);
        bytes32 orderHash = _orderHash(draft, op);
        Outcome expected = _expectedOutcome(draft.claimAmount, isClaiming);
        _handle(op);
        // The same operation again.
        try this.handle(op) {
            _break("an operation ran twice");
        } catch {}
        Outcome outcome = _outcome(account, op.nonce);
        if (outcome != expected) _break("another outcome than what happened");
        if (expected == Outcome.Claimed) {
            ++reached[Reached.Claimed];
            expectedReceived[network] += draft.claimAmount;
            _lent[network][block.timestamp / 1 hours] += draft.claimAmount;
        }
        if (expected == Outcome.Failed) ++reached[Reached.Failed];
        if (expected == Outcome.Unfunded) ++reached[Reached.Unfunded];
        _orders.push();
        Placed storage placed = _orders[_orders.length - 1];
        placed.item.chainId = network;
        placed.item.signed.operation = _signed(op).operation;
        placed.item.signed.paymasterAndData = op.paymasterAndData;
        placed.item.signed.signature = op.signature;
        placed.item.outcome = expected;
        placed.item.proof = _attest(orderHash, expected);
        placed.orderHash = orderHash;
        placed.source = draft.debits[0].chainId;
        placed.validUntil = draft.validUntil;
        if (expected == Outcome.Claimed) placed.due = draft.debits[0].amount;
        if (expected == Outcome.Failed) placed.due = draft.debits[0].failFee;
        return expected == Outcome.Failed;
    }

    /// @dev Computed from the ghost variables and the token, not from the contract under test.
    function _expectedOutcome(uint128 amount, bool isClaiming) private view returns (Outcome) {
        uint256 held = tokenOn[network].balanceOf(address(smartBalance)) / smartBalance.SCALE();
        bool isFunded = amount + _lent[network][block.timestamp / 1 hours] <= CAP
            && amount <= held - expectedBalance[network] - 77e6;
        if (amount == 0 || isFunded) return isClaiming ? Outcome.Claimed : Outcome.Failed;
        return Outcome.Unfunded;
    }

    /// @dev Only for the try above.
    function handle(PackedUserOperation calldata op) external {
        require(msg.sender == address(this));
        _handle(op);
    }

    function _settleOne(uint256 index, uint256 seed) private step(seed) {
        Placed storage placed = _orders[index];
        Settling memory item = placed.item;
        uint256 balance = expectedBalance[network];
        bool hasNothing = balance == 0 || placed.taken == placed.due;
        uint256 hindrances = _countHindrances(placed, hasNothing);
        (, uint128 exiting,) = smartBalance.accounts(account);
        vm.prank(SETTLER);
        try smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof) returns (uint128 taken) {
            if (hindrances != 0) _break("a settlement in a pause, after its time, or without a pin");
            if (taken != _min(placed.due - placed.taken, balance)) _break("more or less than what is due");
            if (placed.taken != 0) ++reached[Reached.SettledAgain];
            placed.taken += taken;
            expectedBalance[network] -= taken;
            ++reached[Reached.Settled];
            if (placed.taken < placed.due) ++reached[Reached.SettledInPart];
            if (exiting > balance - taken) ++reached[Reached.SettledWhileExiting];
        } catch {
            if (hindrances == 0 && !hasNothing) _break("a due settlement was refused");
        }
    }

    /// @dev Of the reasons why an order with something to settle must not be settled now. A single one counts as reached.
    function _countHindrances(Placed storage placed, bool hasNothing) private returns (uint256 count) {
        bool isClosed = block.timestamp > placed.validUntil + SETTLEMENT_WINDOW;
        bool isPaused = block.timestamp < smartBalance.settlementPausedUntil();
        bool isUnpinned = _pinnedUntil[network] < placed.validUntil;
        count = (isClosed ? 1 : 0) + (isPaused ? 1 : 0) + (isUnpinned ? 1 : 0);
        if (count != 1 || hasNothing) return count;
        if (isClosed) ++reached[Reached.SettledAfterWindow];
        else if (isPaused) ++reached[Reached.SettledDuringPause];
        else ++reached[Reached.SettledWithoutPin];
    }

    /// @dev On the source, with a settler's key, and attestors that sign anything (2 and 3) or nothing (0, 1).
    function _steal(Placed storage placed, uint8 kind, uint256 seed) private step(seed) {
        Settling memory item = placed.item;
        bool isPossible = expectedBalance[network] != 0 && placed.due != 0
            && block.timestamp <= placed.validUntil + SETTLEMENT_WINDOW
            && block.timestamp >= smartBalance.settlementPausedUntil()
            && _pinnedUntil[network] >= placed.validUntil && (kind > 2 || placed.taken < placed.due);
        if (kind == 0) item.proof = _attest(placed.orderHash, Outcome.None);
        if (kind == 1) item.proof = "";
        if (kind == 2) {
            // The user's signature is missing.
            item.proof = _attest(placed.orderHash, item.outcome);
            item.signed.signature = bytes.concat(bytes12(0), _sign(THIRD_PARTY_KEY, placed.orderHash));
        }
        if (kind == 3) {
            // The user signed two orders with one nonce, and one of them was settled.
            if (placed.taken == 0) return;
            isPossible = isPossible && item.outcome == Outcome.Claimed && placed.taken < 1_500e6;
            item = _otherOrder(placed);
        }
        if (kind == 4) {
            // The other outcome, attested as well. What it owes beyond the first could be taken.
            if (placed.taken == 0) return;
            isPossible = isPossible && item.outcome == Outcome.Failed;
            item.outcome = item.outcome == Outcome.Claimed ? Outcome.Failed : Outcome.Claimed;
            item.proof = _attest(placed.orderHash, item.outcome);
        }
        if (isPossible) ++reached[Reached(uint8(Reached.SettledWithoutProof) + kind)];
        vm.prank(SETTLER);
        try smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof) {
            _break("a settlement that nobody signed or proved");
        } catch {}
    }

    /// @dev Signed by the same owner for the same nonce and source, with the whole balance as its debit.
    function _otherOrder(Placed storage placed) private returns (Settling memory item) {
        uint64 here = network;
        _on(uint64(placed.item.chainId));
        Draft memory draft = _draft();
        draft.nonce = placed.item.signed.operation.nonce;
        draft.callData = _claimCall(draft.nonce);
        draft.claimAmount = 1_500e6;
        draft.debits[0] = Debit(placed.source, 1_500e6, 1);
        draft.validUntil = placed.validUntil;
        PackedUserOperation memory op = _build(draft);
        item = Settling(placed.item.chainId, _signed(op), Outcome.Claimed, "");
        item.proof = _attest(_orderHash(draft, op), Outcome.Claimed);
        _on(here);
    }

    function _claimTwice(uint256 nonce) private view returns (bytes memory) {
        address[] memory targets = new address[](2);
        targets[0] = targets[1] = address(smartBalance);
        bytes[] memory calls = new bytes[](2);
        calls[0] = calls[1] = abi.encodeCall(smartBalance.claim, (nonce));
        return _batch(targets, calls);
    }

    function _withdrawal(uint256 amount, uint256 fee, bytes32 salt) private view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            "Withdraw(address account,address to,uint128 amount,uint128 fee,bytes32 salt,uint48 deadline)"
        );
        uint48 deadline = uint48(block.timestamp + 1 days);
        bytes32 structHash = keccak256(abi.encode(typeHash, account, account, amount, fee, salt, deadline));
        bytes memory signature =
            _sign(OPERATOR_KEY, keccak256(abi.encodePacked("\x19\x01", _domain(block.chainid), structHash)));
        return abi.encodeCall(
            smartBalance.withdraw, (account, uint128(amount), uint128(fee), salt, deadline, signature)
        );
    }

    function _break(string memory what) private {
        if (bytes(broken).length == 0) broken = what;
    }

    function _min(uint256 left, uint256 right) private pure returns (uint256) {
        return left < right ? left : right;
    }
}
