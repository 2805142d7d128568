// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Puller} from "../attacks/SessionTargets.sol";
import {Vm} from "../Test.sol";
import {ISafeAccount, SessionKeysTest} from "./SessionKeysTest.sol";

/// @notice Random calls of two sessions on two accounts, and a ledger of what each may have moved.
contract Handler is SessionKeysTest {
    struct Ledger {
        uint256 granted;
        /// Base units transferred or approved in the current hour of the session, and the number of that hour.
        uint256 tokens;
        uint256 hour;
        uint256 native;
        uint256 operations;
    }

    Ledger[2][2] private _ledgers;
    uint256 private _tokensOut;

    uint256 public executed;
    uint256 public reverted;
    uint256 public refused;
    uint256 public grants;
    uint256 public revocations;
    /// @dev How often each kind of {attempt} was included while the allowances had enough for it.
    uint256[6] public attempts;
    /// @dev How often an amount, or an operation, beyond what was left was tried.
    uint256 public beyondAllowance;
    uint256 public beyondOperations;
    uint256 public impersonations;

    // Events that must never happen.
    uint256 public allowancesExceeded;
    uint256 public operationsExceeded;
    uint256 public approvalsRemaining;
    uint256 public wronglyReverted;
    uint256 public ruleless;

    function setUp() public override {
        super.setUp();
        vm.etch(SPENDER, address(new Puller()).code);
        for (uint256 i; i < 4; ++i) {
            _begin(i / 2, i % 2);
        }
    }

    function transfer(uint8 who, uint256 amount) external {
        amount = bound(amount, 0, 120e6);
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        _advance(ledger);
        bool fits = ledger.tokens + amount <= 100e6;
        uint256 before = token.balanceOf(RECIPIENT);
        bool included = _operate(who, _transfer(RECIPIENT, amount));
        if (included && !fits) ++beyondAllowance;
        uint256 moved = token.balanceOf(RECIPIENT) - before;
        _tokensOut += moved;
        ledger.tokens += moved;
        if (ledger.tokens > 100e6) ++allowancesExceeded;
        if (included && fits && moved != amount) ++wronglyReverted;
    }

    /// @dev The spender takes a part of the approved amount, all of which counts.
    function approve(uint8 who, uint256 amount, uint256 taken) external {
        amount = bound(amount, 1, 120e6);
        taken = bound(taken, 0, amount);
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        _advance(ledger);
        bool fits = ledger.tokens + amount <= 100e6;
        Call[] memory calls = new Call[](2);
        calls[0] = _approve(SPENDER, amount)[0];
        calls[1] = Call(SPENDER, 0, abi.encodeCall(Puller.pull, (token, taken)));
        uint256 before = executed;
        bool included = _operate(who, calls);
        if (executed != before) {
            _tokensOut += taken;
            ledger.tokens += amount;
        } else if (included && fits) {
            ++wronglyReverted;
        }
        if (ledger.tokens > 100e6) ++allowancesExceeded;
        if (token.allowance(_safeOf(who), SPENDER) != 0) ++approvalsRemaining;
    }

    function pay(uint8 who, uint256 value) external {
        value = bound(value, 0, 0.7 ether);
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        bool fits = value <= 0.6 ether && ledger.native + value <= 1 ether;
        uint256 before = RECIPIENT.balance;
        bool included = _operate(who, _calls(RECIPIENT, value, ""));
        uint256 moved = RECIPIENT.balance - before;
        ledger.native += moved;
        if (ledger.native > 1 ether) ++allowancesExceeded;
        if (included && fits && moved != value) ++wronglyReverted;
    }

    /// @dev What no rule allows: another recipient of tokens or coins, another spender, other functions, more value.
    function attempt(uint8 who, uint8 kind, address other, uint256 amount) external {
        amount = bound(amount, 1, 50e6);
        if (other == RECIPIENT || other == SPENDER || uint160(other) < 0x10000) other = address(0xBAD);
        Call[] memory calls;
        if (kind % 6 == 0) calls = _transfer(other, amount);
        if (kind % 6 == 1) calls = _calls(other, amount, "");
        if (kind % 6 == 2) calls = _approve(other, amount);
        if (kind % 6 == 3) calls = _calls(RECIPIENT, 0.7 ether, "");
        if (kind % 6 == 4) {
            address safe = _safeOf(who);
            calls = _calls(address(token), 0, abi.encodeCall(token.transferFrom, (safe, other, amount)));
        }
        if (kind % 6 == 5) {
            calls = _calls(_safeOf(who), 0, abi.encodeCall(ISafeAccount.enableModule, (other)));
        }
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        _advance(ledger);
        bool isPossible = ledger.tokens + amount <= 100e6 && ledger.native + 0.7 ether <= 1 ether;
        uint256 before = executed;
        if (_operate(who, calls) && isPossible) ++attempts[kind % 6];
        if (executed != before) ++ruleless;
    }

    /// @dev Signs with the key of another session, or of none.
    function impersonate(uint8 who, bool isSession, uint256 amount) external {
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        if (ledger.granted == 0) return;
        Draft memory draft =
            _draftOf(_safeOf(who), _signingKeyOf(who), _transfer(RECIPIENT, bound(amount, 1, 1e6)));
        draft.signingKey = isSession ? _signingKeyOf(who % 2 + 1) : THIRD_PARTY_KEY;
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = _build(draft);
        if (ledger.operations < 6 && block.timestamp <= ledger.granted + 1 days) ++impersonations;
        try entryPoint.handleOps(ops, BUNDLER) {
            ++ruleless;
        } catch {}
    }

    /// @dev An operation that was signed before its session ended.
    function replayRevoked(uint8 who) external {
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        if (ledger.granted == 0) return;
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = _build(_draftOf(_safeOf(who), _signingKeyOf(who), _transfer(RECIPIENT, 1)));
        vm.prank(_safeOf(who));
        sessionKeys.revoke(_keyOf(_signingKeyOf(who)));
        delete _ledgers[who / 2 % 2][who % 2];
        ++revocations;
        _begin(who / 2 % 2, who % 2);
        try entryPoint.handleOps(ops, BUNDLER) {
            ++ruleless;
        } catch {}
    }

    function wait(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 1, 2 hours));
    }

    /// @dev Ends a session, and usually starts it again.
    function change(uint8 who, uint8 again) external {
        (uint256 a, uint256 s) = (who / 2 % 2, who % 2);
        if (_ledgers[a][s].granted != 0) {
            vm.prank(_safeOf(who));
            sessionKeys.revoke(_keyOf(_signingKeyOf(who)));
            delete _ledgers[a][s];
            ++revocations;
        }
        if (again % 4 != 0) _begin(a, s);
    }

    /// @dev Everything that left the accounts went to the two permitted recipients.
    function check() external view {
        uint256 tokens = token.balanceOf(account) + token.balanceOf(otherAccount);
        assertEq(tokens + _tokensOut, 2_000e6, "tokens are conserved");
        for (uint256 i; i < 4; ++i) {
            _checkSession(uint8(i));
        }
    }

    function _checkSession(uint8 who) private view {
        Ledger storage ledger = _ledgers[who / 2][who % 2];
        bytes32[] memory keys = sessionKeys.keysOf(_safeOf(who));
        bool isListed;
        for (uint256 i; i < keys.length; ++i) {
            if (keys[i] == _keyOf(_signingKeyOf(who))) isListed = true;
        }
        assertTrue(isListed == (ledger.granted != 0), "listed while it exists");
        if (!isListed) return;
        uint128[] memory left = sessionKeys.sessionOf(_safeOf(who), _keyOf(_signingKeyOf(who))).left;
        assertEq(left[0], 1 ether - ledger.native, "native left");
        bool isThisHour = ledger.hour == (block.timestamp - ledger.granted) / 1 hours;
        assertEq(left[1], isThisHour ? 100e6 - ledger.tokens : 100e6, "tokens left");
    }

    function _begin(uint256 a, uint256 s) private {
        Session memory session = _session();
        session.maxOperations = 6;
        session.rules[1] = Rule(RuleKind.Call, SPENDER, Puller.pull.selector, address(0), 0);
        uint8 who = uint8(2 * a + s);
        _grant(_safeOf(who), _keyOf(_signingKeyOf(who)), session);
        _ledgers[a][s].granted = block.timestamp;
        ++grants;
    }

    /// @return included Whether EntryPoint accepted the operation; its execution may have reverted.
    function _operate(uint8 who, Call[] memory calls) private returns (bool included) {
        Ledger storage ledger = _ledgers[who / 2 % 2][who % 2];
        if (ledger.granted == 0) return false;
        PackedUserOperation memory op = _build(_draftOf(_safeOf(who), _signingKeyOf(who), calls));
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        vm.recordLogs();
        try entryPoint.handleOps(ops, BUNDLER) {
            included = true;
            if (++ledger.operations > 6) ++operationsExceeded;
            if (_hasReverted()) ++reverted;
            else ++executed;
        } catch {
            ++refused;
            if (ledger.operations >= 6) ++beyondOperations;
            // Neither used up nor expired, so there is no reason to reject it.
            if (ledger.operations < 6 && block.timestamp <= ledger.granted + 1 days) ++wronglyReverted;
        }
    }

    function _hasReverted() private returns (bool) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == REVERT_REASON) return true;
        }
        return false;
    }

    function _advance(Ledger storage ledger) private {
        uint256 hour = (block.timestamp - ledger.granted) / 1 hours;
        if (hour == ledger.hour) return;
        ledger.hour = hour;
        ledger.tokens = 0;
    }

    function _safeOf(uint8 who) private view returns (address) {
        return who / 2 % 2 == 0 ? account : otherAccount;
    }

    function _signingKeyOf(uint8 who) private pure returns (uint256) {
        return who % 2 == 0 ? SESSION_KEY : OTHER_SESSION_KEY;
    }
}
