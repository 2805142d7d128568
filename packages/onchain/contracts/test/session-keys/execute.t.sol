// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Execution} from "../../session-keys/Execution.sol";
import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Sessions} from "../../session-keys/Sessions.sol";
import {Counter} from "../mocks/Targets.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

contract ExecuteTest is SessionKeysTest {
    function setUp() public override {
        super.setUp();
        _grant(_session());
    }

    function test_default() public {
        Call[] memory calls = new Call[](4);
        calls[0] = _increment()[0];
        calls[1] = _transfer(RECIPIENT, 60e6)[0];
        calls[2] = _approve(SPENDER, 40e6)[0];
        calls[3] = Call(RECIPIENT, 0.6 ether, "");
        _execute(calls);
        assertEq(counter.count(), 1, "counted");
        assertEq(token.balanceOf(RECIPIENT), 60e6, "transferred");
        assertEq(token.allowance(account, SPENDER), 0, "the approval ended");
        assertEq(RECIPIENT.balance, 0.6 ether, "paid");
        assertEq(_spent(0), 0.6 ether, "native");
        assertEq(_spent(1), 100e6, "transfer and approve together");
    }

    function test_behavior_transferFrom() public {
        _grant(_sessionWith(_tokenRule(IERC20.transferFrom.selector, RECIPIENT)));
        vm.prank(account);
        token.approve(account, 50e6);
        bytes memory data = abi.encodeCall(IERC20.transferFrom, (account, RECIPIENT, 50e6));
        _execute(_calls(address(token), 0, data));
        assertEq(token.balanceOf(RECIPIENT), 50e6, "transferred");
        assertEq(_spent(1), 50e6, "counted");
    }

    function test_behavior_anyRecipient() public {
        _grant(_sessionWith(_tokenRule(IERC20.transfer.selector, address(0))));
        _execute(_transfer(address(0xA11CE00), 1e6));
        assertEq(token.balanceOf(address(0xA11CE00)), 1e6, "transferred");
        _grant(_sessionWith(Rule(RuleKind.Native, address(0), 0, address(0), 1 ether)));
        _execute(_calls(address(0xA11CE00), 1 ether, ""));
        assertEq(address(0xA11CE00).balance, 1 ether, "paid");
    }

    /// @dev A broad rule with a low limit, and a narrow one with a higher limit.
    function test_behavior_anyRuleThatAllowsTheValue() public {
        Session memory session = _session();
        session.rules[1] = Rule(RuleKind.Native, address(0), 0, address(0), 0.1 ether);
        (session.rules[0], session.rules[1]) = (session.rules[1], session.rules[0]);
        _grant(session);
        _execute(_calls(RECIPIENT, 0.6 ether, ""));
        assertEq(RECIPIENT.balance, 0.6 ether, "by the narrow one");
    }

    function test_behavior_valueOfACall() public {
        _grant(_sessionWith(Rule(RuleKind.Call, RECIPIENT, 0x12345678, address(0), 0.5 ether)));
        _execute(_calls(RECIPIENT, 0.5 ether, hex"12345678"));
        _execute(_calls(RECIPIENT, 0.5 ether, hex"12345678ff"));
        assertEq(_spent(0), 1 ether, "counted");
        vm.expectRevert(abi.encodeWithSelector(Execution.AllowanceExceeded.selector, address(0), 1, 0));
        _execute(_calls(RECIPIENT, 1, hex"12345678"));
    }

    /// @dev Selector 0 is a function like any other, and differs from empty calldata.
    function test_behavior_selectorZero() public {
        _grant(_sessionWith(Rule(RuleKind.Call, RECIPIENT, 0, address(0), 0)));
        _execute(_calls(RECIPIENT, 0, hex"00000000"));
        _expectNotAllowed(_calls(RECIPIENT, 0, ""));
    }

    function test_behavior_nextPeriod() public {
        _execute(_transfer(RECIPIENT, 100e6));
        vm.warp(block.timestamp + 1 hours);
        _execute(_transfer(RECIPIENT, 100e6));
        assertEq(token.balanceOf(RECIPIENT), 200e6, "twice");
        // Unused periods do not add up.
        vm.warp(block.timestamp + 3 hours);
        vm.expectRevert(
            abi.encodeWithSelector(Execution.AllowanceExceeded.selector, address(token), 100e6 + 1, 100e6)
        );
        _execute(_transfer(RECIPIENT, 100e6 + 1));
    }

    function test_error_NoSession() public {
        vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, address(this), _key()));
        sessionKeys.execute(_key(), _increment());
    }

    function test_error_SessionNotInForce() public {
        uint48 start = uint48(block.timestamp);
        bytes memory refusal =
            abi.encodeWithSelector(Execution.SessionNotInForce.selector, start, start + 1 days);
        vm.warp(start - 1);
        vm.expectRevert(refusal);
        _execute(_increment());
        vm.warp(start + 1 days);
        _execute(_increment());
        vm.warp(start + 1 days + 1);
        vm.expectRevert(refusal);
        _execute(_increment());
    }

    function test_error_NoCalls() public {
        vm.expectRevert(abi.encodeWithSelector(Execution.NoCalls.selector));
        _execute(new Call[](0));
    }

    function test_error_ForbiddenTarget() public {
        _grant(_sessionWith(Rule(RuleKind.Native, address(0), 0, address(0), 1 ether)));
        vm.expectRevert(
            abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, address(entryPoint))
        );
        _execute(_calls(address(entryPoint), 1 ether, ""));
    }

    function test_error_CallNotAllowed() public {
        _expectNotAllowed(_calls(address(counter), 0, abi.encodeCall(Counter.fill, (1))));
        _expectNotAllowed(_calls(address(0xA11CE00), 0, abi.encodeCall(Counter.increment, ())));
        _expectNotAllowed(_calls(address(0xA11CE00), 1, ""));
        _expectNotAllowed(_transfer(address(0xA11CE00), 1));
        _expectNotAllowed(_approve(RECIPIENT, 1));
    }

    function test_error_CallNotAllowed_index() public {
        Call[] memory calls = new Call[](2);
        calls[0] = _increment()[0];
        calls[1] = Call(address(0xA11CE00), 0, hex"12345678");
        vm.expectRevert(
            abi.encodeWithSelector(
                Execution.CallNotAllowed.selector, 1, address(0xA11CE00), bytes4(0x12345678)
            )
        );
        _execute(calls);
    }

    function test_error_ValueTooHigh() public {
        vm.expectRevert(abi.encodeWithSelector(Execution.ValueTooHigh.selector, 0, 0.6 ether + 1));
        _execute(_calls(RECIPIENT, 0.6 ether + 1, ""));
        vm.expectRevert(abi.encodeWithSelector(Execution.ValueTooHigh.selector, 0, 1));
        _execute(_calls(address(counter), 1, abi.encodeCall(Counter.increment, ())));
    }

    function test_error_AllowanceExceeded() public {
        _execute(_transfer(RECIPIENT, 60e6));
        vm.expectRevert(
            abi.encodeWithSelector(Execution.AllowanceExceeded.selector, address(token), 40e6 + 1, 40e6)
        );
        _execute(_approve(SPENDER, 40e6 + 1));
        vm.expectRevert(
            abi.encodeWithSelector(
                Execution.AllowanceExceeded.selector, address(token), type(uint256).max, 40e6
            )
        );
        _execute(_approve(SPENDER, type(uint256).max));
    }

    function test_error_CallFailed() public {
        _grant(_sessionWith(Rule(RuleKind.Call, address(counter), Counter.refuse.selector, address(0), 0)));
        bytes memory reason = abi.encodeWithSelector(Counter.CounterRefused.selector, 0);
        vm.expectRevert(abi.encodeWithSelector(Execution.CallFailed.selector, 0, reason));
        _execute(_calls(address(counter), 0, abi.encodeCall(Counter.refuse, ())));
    }

    /// @dev GS104: the Safe rejects callers that are not its modules.
    function test_error_notAModule() public {
        vm.prank(account);
        (bool success,) = account.call(
            abi.encodeWithSignature("disableModule(address,address)", address(1), address(sessionKeys))
        );
        assertTrue(success, "disabled");
        vm.expectRevert("GS104");
        _execute(_increment());
    }

    function _expectNotAllowed(Call[] memory calls) private {
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(calls);
    }
}
