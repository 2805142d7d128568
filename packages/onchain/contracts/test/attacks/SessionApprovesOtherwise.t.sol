// SPDX-License-Identifier: MIT
// @promise 13 23 A.6
pragma solidity ^0.8.28;

import {Grants} from "../../session-keys/Grants.sol";
import {Rule, RuleKind} from "../../session-keys/Session.sol";
import {SessionKeysTest} from "../session-keys/SessionKeysTest.sol";

/// @dev Attack: a rule of kind Call names a function that gives a third party power over tokens, which nothing would
/// count or end. Guard: the list of RefusedFunctions. packages/session-keys tests the complete list against a node.
contract SessionApprovesOtherwiseTest is SessionKeysTest {
    function test_grantsApprovingFunctions() public {
        string[16] memory signatures = [
            "setOperator(address,bool)",
            "approve(address,uint256,uint256)",
            "allow(address,bool)",
            "setAuthorization(address,bool)",
            "setRelayerApproval(address,address,bool)",
            "setApprovalForAll(address,bool)",
            "increaseAllowance(address,uint256)",
            "authorizeOperator(address)",
            "authorizeOperator(address,uint256,bytes)",
            "approve(address)",
            "approve(address,bool)",
            "hope(address)",
            "setOperator(address,uint48)",
            "setAccountOperator(address,address,bool)",
            "setMasterContractApproval(address,address,bool,uint8,bytes32,bytes32)",
            "temporaryApprove(address,uint256)"
        ];
        for (uint256 i; i < signatures.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(signatures[i])));
            vm.expectRevert(abi.encodeWithSelector(Grants.OpenApproval.selector, 0));
            _grant(_sessionWith(Rule(RuleKind.Call, address(counter), selector, address(0), 0)));
        }
    }
}
