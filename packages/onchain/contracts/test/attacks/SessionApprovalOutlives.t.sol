// SPDX-License-Identifier: MIT
// @promise 13 23 A.6
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Execution} from "../../session-keys/Execution.sol";
import {Allowance, Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Reentrant} from "../session-keys/Reentrant.sol";
import {ISafeAccount, SessionKeysTest} from "../session-keys/SessionKeysTest.sol";
import {
    Collectible,
    ISafeOfModule,
    OpenModule,
    Puller,
    StickyToken,
    ZeroRefusingToken
} from "./SessionTargets.sol";

/// @dev Attack: use an approval of a session after the session has ended. Guard: execution sets each approval to 0 at
/// its end, and reverts if one remains.
contract SessionApprovalOutlivesTest is SessionKeysTest {
    Puller private puller;

    function setUp() public override {
        super.setUp();
        puller = new Puller();
        Session memory session = _session();
        session.rules[0] = Rule(RuleKind.Call, address(puller), Puller.pull.selector, address(0), 0);
        session.rules[2] = _tokenRule(IERC20.approve.selector, address(puller));
        _grant(session);
    }

    function test_spenderTakesInALaterTransaction() public {
        assertEq(_handled(_build(_draft(_approve(SPENDER, 60e6)))), "", "approved");
        assertEq(token.allowance(account, SPENDER), 0, "ended");
        vm.prank(SPENDER);
        vm.expectRevert();
        token.transferFrom(account, SPENDER, 1);
    }

    function test_spenderTakesAfterRevocation() public {
        _execute(_approve(SPENDER, 60e6));
        vm.prank(account);
        sessionKeys.revoke(_key());
        vm.prank(SPENDER);
        vm.expectRevert();
        token.transferFrom(account, SPENDER, 1);
    }

    function test_spenderLeavesARest() public {
        _execute(_approveAndPull(60e6, 25e6));
        assertEq(token.balanceOf(address(puller)), 25e6, "taken in the operation");
        assertEq(token.allowance(account, address(puller)), 0, "the rest ended");
        assertEq(_spent(1), 60e6, "the approval counts in full");
        vm.expectPartialRevert(Execution.CallFailed.selector);
        _execute(_calls(address(puller), 0, abi.encodeCall(puller.pull, (token, 1))));
    }

    function test_severalApprovalsInOneOperation() public {
        Call[] memory calls = new Call[](4);
        calls[0] = _approve(SPENDER, 10e6)[0];
        calls[1] = _approve(address(puller), 20e6)[0];
        calls[2] = _approve(SPENDER, 30e6)[0];
        calls[3] = _calls(address(puller), 0, abi.encodeCall(puller.pull, (token, 20e6)))[0];
        _execute(calls);
        assertEq(token.allowance(account, SPENDER), 0, "ended");
        assertEq(token.allowance(account, address(puller)), 0, "ended, too");
        assertEq(token.balanceOf(address(puller)), 20e6, "taken");
        assertEq(_spent(1), 60e6, "all of them count");
    }

    /// @dev Like any approve, it replaces the owner's earlier approval, and ends it as well.
    function test_spenderKeepsTheOwnersApproval() public {
        vm.prank(account);
        token.approve(SPENDER, 500e6);
        _execute(_approve(SPENDER, 0));
        assertEq(token.allowance(account, SPENDER), 0, "an approval of 0");
        vm.prank(account);
        token.approve(SPENDER, 500e6);
        _execute(_approve(SPENDER, 1));
        assertEq(token.allowance(account, SPENDER), 0, "an approval of 1");
    }

    /// @dev The account executes again in the middle, as another of its modules may make it do.
    function test_approvesInANestedExecution() public {
        OpenModule module_ = new OpenModule();
        Reentrant target = new Reentrant();
        vm.prank(account);
        ISafeAccount(account).enableModule(address(module_));
        Session memory session = _session();
        session.rules[1] = Rule(RuleKind.Call, address(target), Reentrant.work.selector, address(0), 0);
        _grant(session);
        bytes memory again = abi.encodeCall(sessionKeys.execute, (_key(), _approve(SPENDER, 20e6)));
        target.arm(
            address(module_),
            abi.encodeCall(module_.run, (ISafeOfModule(account), address(sessionKeys), 0, again))
        );
        Call[] memory calls = new Call[](2);
        calls[0] = _approve(SPENDER, 30e6)[0];
        calls[1] = Call(address(target), 0, abi.encodeCall(Reentrant.work, ()));
        _execute(calls);
        assertEq(target.succeeded(), 1, "executed again");
        assertEq(_spent(1), 50e6, "both count");
        assertEq(token.allowance(account, SPENDER), 0, "both ended");
    }

    function test_tokenKeepsTheApproval() public {
        for (uint256 i; i < 2; ++i) {
            address sticky = address(new StickyToken(i == 0));
            _grantApprovals(sticky);
            vm.expectRevert(abi.encodeWithSelector(Execution.ApprovalRemains.selector, sticky, SPENDER));
            _execute(_calls(sticky, 0, abi.encodeCall(IERC20.approve, (SPENDER, 1))));
            assertEq(IERC20(sticky).allowance(account, SPENDER), 0, "not approved");
        }
    }

    function test_tokenRejectsEndingTheApproval() public {
        address refusing = address(new ZeroRefusingToken());
        _grantApprovals(refusing);
        bytes memory reason = abi.encodeWithSelector(ZeroRefusingToken.ZeroRefused.selector);
        vm.expectRevert(abi.encodeWithSelector(Execution.CallFailed.selector, 0, reason));
        _execute(_calls(refusing, 0, abi.encodeCall(IERC20.approve, (SPENDER, 1))));
    }

    /// @dev On an ERC-721 contract, approve(spender, 0) would approve token 0 instead of ending an approval.
    function test_approvesACollectible() public {
        Collectible collectible = new Collectible();
        _grantApprovals(address(collectible));
        vm.expectRevert();
        _execute(_calls(address(collectible), 0, abi.encodeCall(IERC20.approve, (SPENDER, 7))));
        assertTrue(collectible.getApproved(7) == address(0), "not approved");
        assertTrue(collectible.getApproved(0) == address(0), "not approved for token 0");
    }

    function _approveAndPull(uint256 approved, uint256 pulled) private view returns (Call[] memory calls) {
        calls = new Call[](2);
        calls[0] = _approve(address(puller), approved)[0];
        calls[1] = _calls(address(puller), 0, abi.encodeCall(puller.pull, (token, pulled)))[0];
    }

    function _grantApprovals(address of_) private {
        Session memory session = _sessionWith(Rule(RuleKind.Token, of_, IERC20.approve.selector, SPENDER, 0));
        session.allowances[1] = Allowance(of_, 0, 100);
        _grant(session);
    }
}
