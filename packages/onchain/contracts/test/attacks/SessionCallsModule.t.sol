// SPDX-License-Identifier: MIT
// @promise 13 23 A.6
pragma solidity ^0.8.28;

import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Reentrant} from "../session-keys/Reentrant.sol";
import {ISafeAccount, SessionKeysTest} from "../session-keys/SessionKeysTest.sol";
import {ISafeOfModule, OpenModule} from "./SessionTargets.sol";

/// @dev Attack: a session calls a contract that became a module of the Safe after the grant, and gains an owner's
/// power. Guard: execution asks the Safe at each call.
contract SessionCallsModuleTest is SessionKeysTest {
    OpenModule private target;

    function setUp() public override {
        super.setUp();
        target = new OpenModule();
        Session memory session = _session();
        session.rules[0] = Rule(RuleKind.Native, address(0), 0, address(0), 1 ether);
        session.rules[1] = Rule(RuleKind.Call, address(target), OpenModule.run.selector, address(0), 0);
        _grant(session);
    }

    function test_callsTargetEnabledAfterTheGrant() public {
        _enable(address(target));
        Call[] memory calls = _calls(
            address(target), 0, abi.encodeCall(target.run, (ISafeOfModule(account), SPENDER, 99 ether, ""))
        );
        assertEq(_handled(_build(_draft(calls))), _refusal(), "refused");
        assertEq(SPENDER.balance, 0, "nothing was paid");
    }

    function test_paysTargetEnabledAfterTheGrant() public {
        _execute(_calls(address(target), 0.4 ether, ""));
        _enable(address(target));
        vm.expectRevert(_refusal());
        _execute(_calls(address(target), 0.4 ether, ""));
    }

    /// @dev The first call makes the target of the second one a module.
    function test_callsTargetEnabledInTheSameOperation() public {
        OpenModule enabler = new OpenModule();
        _enable(address(enabler));
        Reentrant first = new Reentrant();
        bytes memory enable = abi.encodeCall(ISafeAccount.enableModule, (address(target)));
        first.arm(address(enabler), abi.encodeCall(enabler.run, (ISafeOfModule(account), account, 0, enable)));
        Session memory session = _session();
        session.rules[0] = Rule(RuleKind.Call, address(first), Reentrant.work.selector, address(0), 0);
        session.rules[1] = Rule(RuleKind.Call, address(target), OpenModule.run.selector, address(0), 0);
        _grant(session);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(first), 0, abi.encodeCall(Reentrant.work, ()));
        calls[1] = Call(
            address(target), 0, abi.encodeCall(target.run, (ISafeOfModule(account), SPENDER, 99 ether, ""))
        );
        vm.expectRevert(_refusal());
        _execute(calls);
        Call[] memory firstAlone = new Call[](1);
        firstAlone[0] = calls[0];
        _execute(firstAlone);
        assertEq(first.succeeded(), 1, "alone, the first call enables the module");
    }

    function test_default_callsTargetThatIsNoLongerAModule() public {
        _enable(address(target));
        vm.prank(account);
        (bool success,) = account.call(
            abi.encodeWithSignature("disableModule(address,address)", address(1), address(target))
        );
        assertTrue(success, "disabled");
        _execute(_calls(address(target), 0.4 ether, ""));
        assertEq(address(target).balance, 0.4 ether, "paid");
    }

    function _enable(address newModule) private {
        vm.prank(account);
        ISafeAccount(account).enableModule(newModule);
    }

    function _refusal() private view returns (bytes memory) {
        return abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, target);
    }
}
