// SPDX-License-Identifier: MIT
// @promise 13 23 A.9
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Execution} from "../../session-keys/Execution.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Reentrant} from "../session-keys/Reentrant.sol";
import {ISafeAccount, SessionKeysTest} from "../session-keys/SessionKeysTest.sol";
import {ISafeOfModule, OpenModule} from "./SessionTargets.sol";

/// @dev Attack: spend an allowance twice, in a later period, or by executing again before the first call has returned.
contract SessionSpendsTwiceTest is SessionKeysTest {
    Reentrant private target;
    OpenModule private again;

    function setUp() public override {
        super.setUp();
        target = new Reentrant();
        again = new OpenModule();
        // Another module of the account may make it call, so it can execute in the middle of an execution.
        vm.prank(account);
        ISafeAccount(account).enableModule(address(again));
        Session memory session = _session();
        session.rules[0] = Rule(RuleKind.Native, address(target), 0, address(0), 0.6 ether);
        session.rules[1] =
            Rule(RuleKind.Call, address(target), Reentrant.work.selector, address(0), 0.6 ether);
        _grant(session);
    }

    /// @dev Guard: spending records its period.
    function testFuzz_inALaterPeriod(uint256 period, uint256 first, uint256 second) public {
        period = bound(period, 1, 23);
        first = bound(first, 1, 100e6);
        second = bound(second, 100e6 - first + 1, 100e6);
        _execute(_transfer(RECIPIENT, 100e6));
        vm.warp(block.timestamp + period * 1 hours);
        _execute(_transfer(RECIPIENT, first));
        assertEq(_spent(1), first, "counted in the later period");
        _expectExceeded(address(token), second, 100e6 - first);
        _execute(_transfer(RECIPIENT, second));
    }

    /// @dev Guard: a period begins in its first second, and not before.
    function test_atTheEdgeOfAPeriod() public {
        uint256 start = block.timestamp;
        for (uint256 period; period < 3; ++period) {
            vm.warp(start + period * 1 hours);
            _execute(_transfer(RECIPIENT, 100e6));
            _expectExceeded(address(token), 1, 0);
            _execute(_transfer(RECIPIENT, 1));
            vm.warp(start + (period + 1) * 1 hours - 1);
            _expectExceeded(address(token), 1, 0);
            _execute(_transfer(RECIPIENT, 1));
        }
    }

    /// @dev Guard: a total has a single period.
    function test_aTotalInALaterPeriod() public {
        _execute(_calls(address(target), 0.6 ether, ""));
        _execute(_calls(address(target), 0.4 ether, ""));
        vm.warp(block.timestamp + 1 days);
        _expectExceeded(address(0), 1, 0);
        _execute(_calls(address(target), 1, ""));
    }

    /// @dev Guard: native spending is recorded before the call that it pays for.
    function test_paymentReenters() public {
        _arm(_calls(address(target), 0.6 ether, abi.encodeCall(Reentrant.work, ())));
        _execute(_calls(address(target), 0.6 ether, abi.encodeCall(Reentrant.work, ())));
        assertEq(target.tried(), 1, "tried once, since the inner call was rejected");
        assertEq(target.succeeded(), 0, "refused");
        assertEq(address(target).balance, 0.6 ether, "paid once");
        assertEq(_spent(0), 0.6 ether, "counted once");
    }

    /// @dev Guard: the same, if value arrives without calldata.
    function test_plainPaymentReenters() public {
        _arm(_calls(address(target), 0.6 ether, ""));
        _execute(_calls(address(target), 0.6 ether, ""));
        assertEq(target.succeeded(), 0, "refused");
        assertEq(address(target).balance, 0.6 ether, "paid once");
    }

    /// @dev Guard: token spending is recorded before the call. The token notifies its recipient, as ERC-777 does.
    function test_tokenReenters() public {
        TellingToken telling = new TellingToken(target);
        Session memory session =
            _sessionWith(Rule(RuleKind.Token, address(telling), IERC20.transfer.selector, address(0), 0));
        session.allowances[1].token = address(telling);
        _grant(session);
        bytes memory transfer = abi.encodeCall(IERC20.transfer, (RECIPIENT, 60e6));
        _arm(_calls(address(telling), 0, transfer));
        _execute(_calls(address(telling), 0, transfer));
        assertEq(target.tried(), 1, "tried");
        assertEq(target.succeeded(), 0, "refused");
        assertEq(telling.moved(), 60e6, "moved once");
        assertEq(_spent(1), 60e6, "counted once");
    }

    /// @dev An inner execution may spend the rest, and the outer one then has less.
    function test_nestedSpendingAddsUp() public {
        _arm(_transfer(RECIPIENT, 60e6));
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(target), 0, abi.encodeCall(Reentrant.work, ()));
        calls[1] = _transfer(RECIPIENT, 40e6 + 1)[0];
        _expectExceeded(address(token), 40e6 + 1, 40e6);
        _execute(calls);
        calls[1] = _transfer(RECIPIENT, 40e6)[0];
        _execute(calls);
        assertEq(token.balanceOf(RECIPIENT), 100e6, "the allowance");
    }

    function _arm(Call[] memory calls) private {
        bytes memory execute = abi.encodeCall(sessionKeys.execute, (_key(), calls));
        target.arm(
            address(again),
            abi.encodeCall(again.run, (ISafeOfModule(account), address(sessionKeys), 0, execute))
        );
    }

    function _expectExceeded(address of_, uint256 amount, uint256 left) private {
        vm.expectRevert(abi.encodeWithSelector(Execution.AllowanceExceeded.selector, of_, amount, left));
    }
}

/// @dev Notifies the recipient of each transfer before the transfer ends.
contract TellingToken {
    Reentrant private immutable _TOLD;
    uint256 public moved;

    constructor(Reentrant told) {
        _TOLD = told;
    }

    function transfer(address, uint256 amount) external returns (bool) {
        moved += amount;
        _TOLD.work();
        return true;
    }
}
